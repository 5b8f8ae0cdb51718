import type { Schema } from '../../schema/schema.ts';

const STRING: Schema = { type: 'string' };

/** What every object has, and what a custom resource's own schema does not say. */
const OBJECT_PROPERTIES: Readonly<Record<string, Schema>> = {
  apiVersion: STRING,
  kind: STRING,
  metadata: { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
};

/**
 * The schema to apply custom resources with: the structural schema of one version, with the type and the
 * metadata of the object and of every object embedded in it. The source of its references must have the
 * built-in ObjectMeta. A type is remembered by the schema's identity, so make this once per version.
 */
export function customResourceSchema(structural: Schema | undefined): Schema {
  if (structural === undefined) return { type: 'object' };
  const schema = withEmbedded(structural);
  return { ...schema, properties: { ...schema.properties, ...OBJECT_PROPERTIES } };
}

function withEmbedded(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  return {
    ...schema,
    ...((properties !== undefined || embedded) && {
      properties: {
        ...Object.fromEntries(
          Object.entries(properties ?? {}).map(([name, property]) => [name, withEmbedded(property)]),
        ),
        ...(embedded && OBJECT_PROPERTIES),
      },
    }),
    ...(items !== undefined && { items: withEmbedded(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: withEmbedded(additionalProperties),
    }),
  };
}
