import { builtinDescriptions, type GroupVersionKind, type Schema, wideJson } from '@windlass/apimachinery';
import type { ResourceDefinition } from '../resource/definition.ts';
import { v2Schema } from './v2-schema.ts';

/** A schema as it is published: with prose, and with what only clients read. */
export type PublishedSchema = Schema & {
  readonly description?: string;
  readonly 'x-kubernetes-selectable-fields'?: readonly { readonly fieldPath: string }[];
};

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const CONVENTIONS = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';
const PRESERVES = 'x-kubernetes-preserve-unknown-fields';

/** Custom resources have no name in the tables: theirs is made of their group, backwards. */
export function modelName({ group, version, kind }: GroupVersionKind): string {
  return [...group.split('.').toReversed(), version, kind].join('.');
}

/** The schemas of a custom resource and of its list, by their names. */
export function customSchemas(
  definition: ResourceDefinition,
  { forV2 }: { readonly forV2: boolean },
): [string, PublishedSchema][] {
  const { group, version, kind, listKind, plural, selectableFields } = definition;
  const identity = (name: string): GroupVersionKind => ({ group, version, kind: name });
  const extra = (name: string): PublishedSchema => ({
    'x-kubernetes-group-version-kind': [identity(name)],
    ...(selectableFields.size > 0 && {
      'x-kubernetes-selectable-fields': [...selectableFields.keys()].map((fieldPath) => ({ fieldPath })),
    }),
  });
  const list: PublishedSchema = {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeFields(),
      items: described(`List of ${plural}. More info: ${CONVENTIONS}`, {
        type: 'array',
        items: { $ref: modelName(identity(kind)) },
      }),
      metadata: listMetadata(),
    },
  };
  return [
    [modelName(identity(kind)), { ...objectSchema(definition.schema, forV2), ...extra(kind) }],
    [modelName(identity(listKind)), { ...list, ...extra(listKind) }],
  ];
}

function objectSchema(schema: Schema, forV2: boolean): PublishedSchema {
  // Nothing at all may be said of its fields: kubectl would refuse those that are not among them.
  if (forV2 && schema[PRESERVES] === true) return { type: 'object' };
  const own = forV2 ? v2Schema(schema) : unfolded(schema);
  const { properties = {}, ...rest } = embedded({ ...own, properties: own.properties ?? {} }, forV2);
  return { ...rest, properties: { ...properties, ...typeFields(), metadata: objectMetadata() } };
}

/** A number or a string: OpenAPI says so in its own words too. */
function unfolded(schema: Schema): Schema {
  const inner = mapSchemas(schema, unfolded);
  if (schema['x-kubernetes-int-or-string'] !== true) return inner;
  const either: readonly Schema[] = [{ type: 'integer' }, { type: 'string' }];
  if (schema.anyOf === undefined && schema.allOf?.[0]?.anyOf === undefined)
    return { ...inner, anyOf: either };
  const isSaid = [schema.anyOf, schema.allOf?.[0]?.anyOf].some((some) => wideJson(some) === wideJson(either));
  return isSaid ? inner : { ...inner, allOf: [{ anyOf: either }, ...(inner.allOf ?? [])] };
}

/** Objects in objects have a kind and metadata as all objects have. */
function embedded(schema: Schema, forV2: boolean): Schema {
  const inner = mapSchemas(schema, (one) => embedded(one, forV2));
  if (schema['x-kubernetes-embedded-resource'] !== true || (forV2 && schema[PRESERVES] === true))
    return inner;
  const required = new Set([...(inner.required ?? []), 'kind', 'apiVersion']);
  return {
    ...inner,
    required: [...required],
    properties: {
      ...inner.properties,
      apiVersion: described(
        `apiVersion defines the versioned schema of this representation of an object. More info: ${CONVENTIONS}#resources`,
        { type: 'string' },
      ),
      kind: described(
        `kind is a string value representing the type of this object. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
        { type: 'string' },
      ),
      metadata: objectMetadata(),
    },
  };
}

/** The schema with the schemas of its fields, items and values replaced. */
export function mapSchemas(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, change(property)]),
      ),
    }),
    ...(items !== undefined && { items: change(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: change(additionalProperties) }),
  };
}

function described(description: string, schema: Schema): PublishedSchema {
  return { description, ...schema };
}

function typeFields(): Record<'apiVersion' | 'kind', PublishedSchema> {
  const field = (name: string): PublishedSchema =>
    described(builtinDescriptions().field(`${META}.Status`, name), { type: 'string' });
  return { apiVersion: field('apiVersion'), kind: field('kind') };
}

function objectMetadata(): PublishedSchema {
  const description = builtinDescriptions().field('io.k8s.api.apps.v1.Deployment', 'metadata');
  return described(description, { $ref: `${META}.ObjectMeta` });
}

function listMetadata(): PublishedSchema {
  const description = builtinDescriptions().field('io.k8s.api.core.v1.PodList', 'metadata');
  return described(description, { $ref: `${META}.ListMeta` });
}
