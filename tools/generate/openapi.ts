// The schemas of the built-in kinds, from the OpenAPI v3 documents of the release: what a machine acts
// on, without the prose.
import { readdirSync } from 'node:fs';
import type { GroupVersionKind, Schema } from '@windlass/apimachinery';
import { byCodeUnit, readJson, sortedEntries } from './files.ts';

/** A schema as published: references are paths, and wrapped where they have siblings. */
export interface PublishedSchema {
  readonly [key: string]: unknown;
  readonly properties?: { readonly [name: string]: PublishedSchema };
  readonly items?: PublishedSchema;
  readonly additionalProperties?: PublishedSchema;
  readonly allOf?: readonly PublishedSchema[];
  readonly oneOf?: readonly PublishedSchema[];
  readonly $ref?: string;
}

interface Document {
  readonly components?: { readonly schemas?: { readonly [name: string]: PublishedSchema } };
}

const GVK = 'x-kubernetes-group-version-kind';

/** Prose has a table of its own. */
const DROPPED = new Set(['description']);

/** Copied as they are. A key in none of these sets stops the generator: somebody must look at it. */
const KEPT = new Set([
  'type',
  'format',
  'default',
  'enum',
  'required',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-unions',
]);

export function readDefinitions(kubernetes: string): Map<string, Schema> {
  const directory = `${kubernetes}/api/openapi-spec/v3`;
  const definitions = new Map<string, Schema>();
  for (const file of readdirSync(directory).sort()) {
    const document = readJson(`${directory}/${file}`) as Document;
    for (const [name, published] of Object.entries(document.components?.schemas ?? {})) {
      const schema = cleanSchema(published, name);
      const before = definitions.get(name);
      definitions.set(name, before === undefined ? schema : mergeDefinition(name, before, schema));
    }
  }
  return new Map(sortedEntries(definitions));
}

/** Documents repeat shared definitions. They may differ in one thing: the groups that serve the kind. */
function mergeDefinition(name: string, a: Schema, b: Schema): Schema {
  const { [GVK]: kindsA = [], ...restA } = a;
  const { [GVK]: kindsB = [], ...restB } = b;
  if (JSON.stringify(restA) !== JSON.stringify(restB))
    throw new Error(`${name} has two different schemas in one release`);
  const text = (kind: GroupVersionKind): string => `${kind.group}/${kind.version}/${kind.kind}`;
  const kinds = new Map([...kindsA, ...kindsB].map((kind) => [text(kind), kind]));
  if (kinds.size === 0) return a;
  return { ...restA, [GVK]: sortedEntries(kinds).map(([, kind]) => kind) };
}

export function cleanSchema(published: PublishedSchema, path: string): Schema {
  const schema: Record<string, unknown> = {};
  for (const key of Object.keys(published).sort(byCodeUnit)) {
    if (DROPPED.has(key)) continue;
    if (KEPT.has(key)) schema[key] = published[key];
    else if (key === GVK) schema[key] = (published[key] as GroupVersionKind[]).map(cleanKind);
    else if (key === '$ref') schema['$ref'] = bareName(published.$ref ?? '');
    else if (key === 'allOf') Object.assign(schema, unwrap(published, path));
    else if (key === 'oneOf')
      schema['oneOf'] = published.oneOf?.map((one, index) => cleanSchema(one, `${path}|${index}`));
    else if (key === 'items') schema['items'] = cleanSchema(published.items ?? {}, `${path}[]`);
    else if (key === 'additionalProperties')
      schema[key] = cleanSchema(published.additionalProperties ?? {}, `${path}{}`);
    else if (key === 'properties')
      schema['properties'] = Object.fromEntries(
        sortedEntries(Object.entries(published.properties ?? {})).map(([name, property]) => [
          name,
          cleanSchema(property, `${path}.${name}`),
        ]),
      );
    else throw new Error(`${path} has "${key}", which tools/generate/openapi.ts does not know`);
  }
  return schema;
}

const cleanKind = ({ group, version, kind }: GroupVersionKind): GroupVersionKind => ({
  group,
  version,
  kind,
});

/** `allOf: [{$ref}]` exists only so that `$ref` may have siblings, which ours may have anyway. */
function unwrap(published: PublishedSchema, path: string): Schema {
  const [only, ...others] = published.allOf ?? [];
  if (only?.$ref === undefined || others.length > 0 || Object.keys(only).length > 1)
    throw new Error(`${path} has an allOf that is more than a wrapped reference`);
  return { $ref: bareName(only.$ref) };
}

function bareName(reference: string): string {
  const prefix = '#/components/schemas/';
  if (!reference.startsWith(prefix)) throw new Error(`"${reference}" is no reference to a schema`);
  return reference.slice(prefix.length);
}
