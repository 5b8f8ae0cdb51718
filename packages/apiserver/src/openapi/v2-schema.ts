import type { Schema } from '@windlass/apimachinery';

/**
 * The schema without what OpenAPI v2 cannot say, and without what kubectl, which validates by it, would take for more
 * than it says: a value that may be null has no type there, and one with unknown fields has no known ones.
 */
export function v2Schema(schema: Schema): Schema {
  const { allOf: _all, anyOf: _any, oneOf: _one, not: _not, nullable, ...rest } = schema;
  const { type, items, properties, required, additionalProperties, ...others } = rest;
  const isOpen = nullable === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isUntyped =
    nullable === true ||
    (type === 'array' && (items === undefined || isOpen)) ||
    (type === 'object' && isOpen);
  const isNull = (name: string): boolean => properties?.[name]?.nullable === true;
  const kept = isOpen ? required : required?.filter((name) => !isNull(name));
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const isRequired = kept !== undefined && kept.length > 0 && values?.nullable !== true;
  return {
    ...others,
    ...(type !== undefined && !isUntyped && { type }),
    ...(items !== undefined && !isOpen && { items: v2Schema(items) }),
    ...(properties !== undefined &&
      !isOpen && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, v2Schema(property)]),
        ),
      }),
    ...(isRequired && { required: kept }),
    ...(additionalProperties !== undefined && {
      additionalProperties: values === undefined ? additionalProperties : v2Schema(values),
    }),
  };
}
