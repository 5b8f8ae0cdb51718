// TypeScript types of the built-in kinds: one module a group version, plain JSON, and beside each kind
// that is served a constant of the same name that says where.
import type { Schema } from '@windlass/apimachinery';
import { moduleNameOf } from './definition-name.ts';
import type { Descriptions } from './descriptions.ts';
import type { GroupFacts } from './discovery.ts';
import { byCodeUnit, sortedEntries } from './files.ts';
import { tsdoc } from './tsdoc.ts';

export interface TypeFacts {
  readonly definitions: ReadonlyMap<string, Schema>;
  readonly groups: readonly GroupFacts[];
  /** `io.k8s.api.rbac.v1.Role.rules`: optional, but served as null when empty. */
  readonly nullable: ReadonlySet<string>;
  readonly descriptions: Descriptions;
}

/** A line of an interface. */
interface Member {
  /** Of the field that the API describes; undefined where the type says it all. */
  readonly described?: string;
  readonly text: string;
}

/** A served kind, with the place of its URL. */
interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural. */
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const APIEXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Written by hand in object.ts, because everything is built on them; the generator checks them. */
export const HAND_WRITTEN: ReadonlySet<string> = new Set(
  ['ListMeta', 'ManagedFieldsEntry', 'ObjectMeta', 'OwnerReference'].map((name) => `${META}.${name}`),
);

/** What JSON shows is not what the schema can say. `Json` stands for JsonValue. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'string'],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', 'JsonValue'],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'number | string'],
  [`${META}.FieldsV1`, '{ [key: string]: JsonValue }'],
  [`${META}.MicroTime`, 'string'],
  [`${META}.Patch`, 'JsonValue'],
  [`${META}.Time`, 'string'],
  [`${APIEXTENSIONS}.JSON`, 'JsonValue'],
  [`${APIEXTENSIONS}.JSONSchemaPropsOrArray`, 'JSONSchemaProps | JSONSchemaProps[]'],
  [`${APIEXTENSIONS}.JSONSchemaPropsOrBool`, 'JSONSchemaProps | boolean'],
  [`${APIEXTENSIONS}.JSONSchemaPropsOrStringArray`, 'JSONSchemaProps | string[]'],
]);

const HEADER = `// Generated from the published Kubernetes API by \`npm run generate\`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
`;

/** Path under `api/` to source text. */
export function printModules(facts: TypeFacts): Map<string, string> {
  const modules = new Map<string, string[]>();
  for (const name of [...facts.definitions.keys()].sort(byCodeUnit)) {
    const { module } = moduleNameOf(name);
    modules.set(module, [...(modules.get(module) ?? []), name]);
  }
  return new Map(
    sortedEntries(modules).map(([module, names]) => [
      `${module}.ts`,
      new ModulePrinter(module, facts).print(names),
    ]),
  );
}

/** The members of an interface, for the check of the hand-written ones. */
export function membersOf(name: string, facts: TypeFacts): string[] {
  const { module } = moduleNameOf(name);
  return new ModulePrinter(module, facts)
    .members(name, facts.definitions.get(name) ?? {})
    .map(({ text }) => text);
}

class ModulePrinter {
  readonly #module: string;
  readonly #facts: TypeFacts;
  readonly #imports = new Map<string, Set<string>>();

  constructor(module: string, facts: TypeFacts) {
    this.#module = module;
    this.#facts = facts;
  }

  print(names: readonly string[]): string {
    const shared = names.filter((name) => HAND_WRITTEN.has(name)).map((name) => moduleNameOf(name).name);
    const own = names.filter((name) => !HAND_WRITTEN.has(name));
    const byType = [...own].sort((a, b) => byCodeUnit(moduleNameOf(a).name, moduleNameOf(b).name));
    const bodies = byType.map((name) => this.#declaration(name));
    const imports = sortedEntries(this.#imports).map(
      ([from, types]) => `import type { ${[...types].sort(byCodeUnit).join(', ')} } from '${from}';\n`,
    );
    const exported =
      shared.length === 0 ? '' : `\nexport type { ${shared.join(', ')} } from '../../../object.ts';\n`;
    return `${HEADER}${imports.join('')}${exported}\n${bodies.join('\n')}`;
  }

  #declaration(name: string): string {
    const [own = '', fields = {}] = this.#facts.descriptions.get(name) ?? [];
    return `${tsdoc(own, '')}${this.#bareDeclaration(name, fields)}`;
  }

  #bareDeclaration(name: string, fields: Readonly<Record<string, string>>): string {
    const schema = this.#facts.definitions.get(name) ?? {};
    const short = moduleNameOf(name).name;
    const alias = ALIASES.get(name);
    if (alias !== undefined) {
      if (alias.includes('JsonValue')) this.#use('../../../object.ts', 'JsonValue');
      return `export type ${short} = ${alias};\n`;
    }
    if (schema.properties === undefined) return `export type ${short} = { [key: string]: never };\n`;
    const item = listItemOf(schema);
    const resource = this.#resourceOf(schema);
    const members = item === undefined ? this.members(name, schema, resource) : typeMembers(schema);
    if (item !== undefined) this.#use('../../../object.ts', 'KubeList');
    const base = item === undefined ? this.#scope(resource) : ` extends KubeList<${this.#reference(item)}>`;
    const lines = members
      .map(({ described = '', text }) => `${tsdoc(fields[described] ?? '', '  ')}  ${text}\n`)
      .join('');
    return `export interface ${short}${base} {\n${lines}}\n${this.#constant(short, resource)}`;
  }

  members(name: string, schema: Schema, resource?: Resource): Member[] {
    const required = new Set(schema.required);
    const literals = typeMembers(schema);
    const own = sortedEntries(Object.entries(schema.properties ?? {})).filter(
      ([property]) => literals.length === 0 || (property !== 'apiVersion' && property !== 'kind'),
    );
    return [
      ...literals,
      ...own.map(([property, value]) => {
        const mayBeNull = !required.has(property) && this.#facts.nullable.has(`${name}.${property}`);
        const isClusterMeta = property === 'metadata' && scopeOf(resource) === 'ClusterKind';
        const own = isClusterMeta ? this.#served('ClusterObjectMeta') : this.#type(value);
        const type = `${own}${mayBeNull ? ' | null' : ''}`;
        const text = `${propertyName(property)}${required.has(property) ? '' : '?'}: ${type};`;
        return { described: property, text };
      }),
    ];
  }

  #type(schema: Schema): string {
    if (schema.$ref !== undefined) return this.#reference(schema.$ref);
    switch (schema.type) {
      case 'string':
        return schema.enum === undefined ? 'string' : openUnion(schema.enum);
      case 'integer':
      case 'number':
        return 'number';
      case 'boolean':
        return 'boolean';
      case 'array':
        return `${parenthesised(this.#type(schema.items ?? {}))}[]`;
      case 'object':
        if (typeof schema.additionalProperties === 'object')
          return `{ [key: string]: ${this.#type(schema.additionalProperties)} }`;
        throw new Error(`an object without values in ${this.#module}`);
      case undefined:
        throw new Error(`a schema without a type in ${this.#module}: ${JSON.stringify(schema)}`);
      default:
        throw new Error(`type "${String(schema.type satisfies never)}" in ${this.#module}`);
    }
  }

  #reference(name: string): string {
    const { module, name: short } = moduleNameOf(name);
    if (HAND_WRITTEN.has(name)) this.#use('../../../object.ts', short);
    else if (module !== this.#module)
      this.#use(`../${module}.ts`.replace(`../${folderOf(this.#module)}/`, './'), short);
    return short;
  }

  #use(from: string, type: string): void {
    for (const [other, types] of this.#imports)
      if (other !== from && types.has(type))
        throw new Error(`${this.#module} would import two types called ${type}`);
    this.#imports.set(from, (this.#imports.get(from) ?? new Set()).add(type));
  }

  /** What is served of this schema, and where; undefined for what has no URL of its own. */
  #resourceOf(schema: Schema): Resource | undefined {
    const [kind, ...others] = schema['x-kubernetes-group-version-kind'] ?? [];
    if (kind === undefined || others.length > 0) return undefined;
    const found = this.#facts.groups
      .find((group) => group.group === kind.group)
      ?.versions.find((version) => version.version === kind.version)
      ?.resources.find((candidate) => candidate.kind === kind.kind);
    return found && { ...found, group: kind.group, version: kind.version };
  }

  /** Lets the type of an object say where such objects live, so that the types of what is read can follow from it. */
  #scope(resource: Resource | undefined): string {
    const kind = scopeOf(resource);
    return kind === undefined ? '' : ` extends ${this.#served(kind)}`;
  }

  #served(type: string): string {
    this.#use('../../../served.ts', type);
    return type;
  }

  /** The constant beside a kind that is served. */
  #constant(short: string, resource: Resource | undefined): string {
    if (resource === undefined) return '';
    this.#use('../../../resource.ts', 'ResourceType');
    const fields = [
      `group: '${resource.group}'`,
      `version: '${resource.version}'`,
      `kind: '${resource.kind}'`,
      `plural: '${resource.name}'`,
      `namespaced: ${resource.namespaced}`,
    ];
    return `export const ${short}: ResourceType<${short}> = {\n${fields.map((field) => `  ${field},\n`).join('')}};\n`;
  }
}

function scopeOf(resource: Resource | undefined): string | undefined {
  if (resource === undefined) return undefined;
  if (!resource.verbs.includes('get')) return 'UnstoredKind';
  return resource.namespaced ? 'NamespacedKind' : 'ClusterKind';
}

const folderOf = (module: string): string => module.slice(0, module.indexOf('/'));

/** What a list holds, when the schema is that of a list. */
function listItemOf(schema: Schema): string | undefined {
  const { properties = {} } = schema;
  const isList = properties['metadata']?.$ref === `${META}.ListMeta` && schema.required?.join() === 'items';
  return isList ? properties['items']?.items?.$ref : undefined;
}

/** apiVersion and kind can have but one value, so that a kind written wrong does not compile. */
function typeMembers(schema: Schema): Member[] {
  const [kind, ...others] = schema['x-kubernetes-group-version-kind'] ?? [];
  if (kind === undefined || others.length > 0) return [];
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return [{ text: `apiVersion?: '${apiVersion}';` }, { text: `kind?: '${kind.kind}';` }];
}

/** A newer server may send a value that this release does not know, so a union is never closed. */
function openUnion(values: readonly unknown[]): string {
  return `${values.map((value) => quoted(String(value))).join(' | ')} | (string & {})`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const parenthesised = (type: string): string => (/[|&]/.test(type) ? `(${type})` : type);

const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
