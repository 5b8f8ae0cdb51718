// What only the Go sources say: which fields are pointers and which are left out of JSON when empty.
// This reads type declarations of the published API packages and nothing more of the language; a
// declaration that it does not understand stops the generator.

interface GoField {
  /** As it stands in the source: `*int32`, `[]v1.Container`, `map[string]string`. */
  readonly type: string;
  /** Undefined when JSON never shows the field (`json:"-"`). */
  readonly json?: string;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** An embedded struct whose fields JSON shows in place. */
  readonly inline: boolean;
  readonly proto?: { readonly number: number; readonly name: string };
}

export interface GoStruct {
  readonly fields: readonly GoField[];
  /** It embeds TypeMeta: an object that stands alone and carries its own apiVersion and kind. */
  readonly isKind: boolean;
}

export interface GoPackage {
  readonly structs: ReadonlyMap<string, GoStruct>;
  /** `type ExtraValue []string` */
  readonly slices: ReadonlyMap<string, string>;
  /** `type List metav1.List`: the name and where it is declared. */
  readonly aliases: ReadonlyMap<string, { readonly importPath: string; readonly name: string }>;
}

/** `wanted` are the structs that matter: the packages also hold code, with fields of every kind. */
export function parseGoPackage(
  sources: readonly string[],
  wanted: { has(name: string): boolean },
): GoPackage {
  const structs = new Map<string, GoStruct>();
  const slices = new Map<string, string>();
  const aliases = new Map<string, { importPath: string; name: string }>();
  for (const source of sources) {
    const text = source.replace(/\/\*[\s\S]*?\*\//g, '');
    const imports = parseImports(text);
    const lines = text.split('\n');
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index] ?? '';
      const struct = /^type (\w+) struct ?\{(\})?$/.exec(line);
      if (struct !== null && wanted.has(struct[1] ?? '')) {
        const end = struct[2] === undefined ? lines.indexOf('}', index) : index;
        if (end === -1) throw new Error(`struct ${struct[1]} has no end`);
        structs.set(struct[1] ?? '', parseStruct(struct[1] ?? '', lines.slice(index + 1, end)));
        index = end;
        continue;
      }
      const slice = /^type (\w+) \[\](\S+)$/.exec(line);
      if (slice !== null) slices.set(slice[1] ?? '', slice[2] ?? '');
      const alias = /^type (\w+) (\w+)\.(\w+)$/.exec(line);
      const importPath = imports.get(alias?.[2] ?? '');
      if (alias !== null && importPath !== undefined)
        aliases.set(alias[1] ?? '', { importPath, name: alias[3] ?? '' });
    }
  }
  return { structs, slices, aliases };
}

function parseImports(source: string): Map<string, string> {
  const imports = new Map<string, string>();
  for (const [, alias, path = ''] of source.matchAll(/^(?:import )?\s*(?:(\w+) )?"([\w./-]+)"$/gm))
    imports.set(alias ?? path.slice(path.lastIndexOf('/') + 1), path);
  return imports;
}

const FIELD = /^\t(?:(\w+)\s+)?([*[\]\w.]+)\s*(?:`([^`]*)`)?\s*(?:\/\/.*)?$/;

function parseStruct(name: string, lines: readonly string[]): GoStruct {
  const fields: GoField[] = [];
  let isKind = false;
  for (const line of lines) {
    if (line.trim() === '' || /^\s*\/\//.test(line)) continue;
    const match = FIELD.exec(line);
    if (match === null) throw new Error(`struct ${name} has a line that is no field: ${line.trim()}`);
    const [, fieldName, type = '', tag = ''] = match;
    const embedded = fieldName === undefined;
    if (embedded && /(^|\.)TypeMeta$/.test(type) && !tag.includes('protobuf:')) isKind = true;
    else fields.push(parseField(fieldName, type, tag));
  }
  return { fields, isKind };
}

function parseField(name: string | undefined, type: string, tag: string): GoField {
  const [jsonName = '', ...options] = (/\bjson:"([^"]*)"/.exec(tag)?.[1] ?? '').split(',');
  const protobuf = /\bprotobuf:"([^"]*)"/.exec(tag)?.[1]?.split(',');
  const base = type.replace(/^.*[*.\]]/, '');
  const inline = name === undefined && jsonName === '';
  const json = jsonName === '' ? (name ?? base) : jsonName;
  const protoName = protobuf?.find((part) => part.startsWith('name='))?.slice('name='.length);
  return {
    type,
    ...(jsonName === '-' ? {} : { json }),
    omitEmpty: options.includes('omitempty'),
    omitZero: options.includes('omitzero'),
    inline,
    ...(protobuf === undefined || protobuf[0] === '-'
      ? {}
      : { proto: { number: Number(protobuf[1]), name: protoName ?? lowerFirst(name ?? base) } }),
  };
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
