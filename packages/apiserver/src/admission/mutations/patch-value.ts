import { DYN, STRING } from '../../custom/cel/language/cel-type.ts';
import type { Declarations, TypeResolver } from '../../custom/cel/language/declarations.ts';
import { Duration, Optional, Uint } from '../../custom/cel/language/values.ts';
import { timeText } from '../../custom/cel/standard/times.ts';

/** What `Object.spec{replicas: 1}` makes. */
export class ObjectValue {
  readonly type: string;
  readonly fields: ReadonlyMap<string, unknown>;

  constructor(type: string, fields: ReadonlyMap<string, unknown>) {
    this.type = type;
    this.fields = fields;
  }

  /** For expressions that ask for a field. */
  getField(name: string): unknown {
    return this.fields.get(name);
  }
}

/** What `JSONPatch{op: "add", path: "/a", value: 1}` makes. */
export class PatchOperation {
  readonly fields: ReadonlyMap<string, unknown>;

  constructor(fields: ReadonlyMap<string, unknown>) {
    this.fields = fields;
  }

  getField(name: string): unknown {
    return this.fields.get(name);
  }
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(['op', 'path', 'from']);

/** `Object`, `Object.` with any path of fields, and `JSONPatch`. Fields of objects may be of any name and type. */
const resolvePatchTypes: TypeResolver = (name) => {
  if (name === 'JSONPatch')
    return {
      fieldType: (field) => (TEXT_FIELDS.has(field) ? STRING : field === 'value' ? DYN : undefined),
      make: (fields) => new PatchOperation(fields),
    };
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return { fieldType: () => DYN, make: (fields) => new ObjectValue(name, fields) };
};

/** What expressions that make patches have beyond others. */
export function registerPatchTypes(env: Declarations): void {
  env
    .resolveTypes(resolvePatchTypes)
    .function('jsonpatch.escapeKey(string): string', (key: string) =>
      key.replaceAll(/[/~]/g, (char) => (char === '/' ? '~1' : '~0')),
    );
}

/**
 * A value as JSON.
 * @throws Error for what has no such form
 */
export function toJson(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return Number(value);
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    default:
  }
  if (value === null) return null;
  if (value instanceof Uint) return Number(value.value);
  if (value instanceof Date) return timeText(value);
  if (value instanceof Duration) return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof ObjectValue) return fieldsToJson(value.fields);
  if (value instanceof Map) return fieldsToJson(value);
  if (value instanceof Optional) throw new Error('an optional has no form in JSON');
  throw new Error(`a value of ${value?.constructor.name ?? 'no type'} has no form in JSON`);
}

export function fieldsToJson(entries: ReadonlyMap<unknown, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    [...entries].map(([key, value]) => {
      if (typeof key !== 'string') throw new Error(`map key ${String(key)} is not string`);
      return [key, toJson(value)];
    }),
  );
}

/** Where the types of objects do not say where they stand: `Object.spec{}` in the field `status`. */
export function misplacedTypes(value: unknown, path = 'Object'): string[] {
  if (value instanceof ObjectValue) {
    const own =
      value.type === path
        ? []
        : [
            `unexpected type name ${JSON.stringify(value.type)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
          ];
    return [
      ...own,
      ...[...value.fields].flatMap(([name, field]) => misplacedTypes(field, `${path}.${name}`)),
    ];
  }
  if (Array.isArray(value)) return value.flatMap((item) => misplacedTypes(item, path));
  return value instanceof Map ? [...value.values()].flatMap((item) => misplacedTypes(item, path)) : [];
}
