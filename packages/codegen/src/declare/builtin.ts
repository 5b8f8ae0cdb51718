import { builtinSchemas, type Schema } from '@windlass/apimachinery';
import type { JSONSchemaProps } from '@windlass/apimachinery/api/apiextensions/v1';
import { InvalidDeclarationError } from '../errors.ts';
import type { Field } from './field.ts';
import { intOrString, quantity } from './scalars.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const TEXTS: JSONSchemaProps = { type: 'object', additionalProperties: { type: 'string' } };
const ANYTHING: JSONSchemaProps = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** What the published schemas cannot say in the form that custom resources need. */
const SPECIAL: ReadonlyMap<string, JSONSchemaProps> = new Map([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', quantity().schema],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', intOrString().schema],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', ANYTHING],
  [`${META}.FieldsV1`, ANYTHING],
  // Of an object inside of another, this much is its own to say.
  [
    `${META}.ObjectMeta`,
    {
      type: 'object',
      properties: {
        annotations: TEXTS,
        finalizers: { type: 'array', items: { type: 'string' } },
        labels: TEXTS,
        name: { type: 'string' },
        namespace: { type: 'string' },
      },
    },
  ],
]);

/**
 * A part of a built-in kind, by its name in the published API, with its type:
 * `fields.builtin<PodTemplateSpec>('io.k8s.api.core.v1.PodTemplateSpec')`. Defaults and choices are left to
 * the kind that it becomes a part of, so that a newer cluster may have more of them.
 * @throws InvalidDeclarationError when there is no such name, or when it holds itself
 */
export function builtin<T>(name: string): Field<T> {
  return { isOptional: false, schema: expand(name, []) };
}

function expand(name: string, within: readonly string[]): JSONSchemaProps {
  const special = SPECIAL.get(name);
  if (special !== undefined) return special;
  const schemas = builtinSchemas();
  const schema = schemas.definition(name);
  if (schema === undefined) {
    const short = name.slice(name.lastIndexOf('.') + 1);
    const like = schemas.names.filter((known) => known.endsWith(`.${short}`));
    throw new InvalidDeclarationError(
      `there is no built-in ${JSON.stringify(name)}; ${like.length === 0 ? 'names are such as io.k8s.api.core.v1.PodTemplateSpec' : `there is ${like.join(', ')}`}`,
    );
  }
  if (within.includes(name))
    throw new InvalidDeclarationError(
      `${name} holds itself, which no API server takes; use fields.any() for it`,
    );
  return structural(schema, [...within, name], []);
}

/** @param keys fields by which the items of the list around are told apart: they need a default or a value */
function structural(schema: Schema, within: readonly string[], keys: readonly string[]): JSONSchemaProps {
  if (schema.$ref !== undefined)
    return { ...expand(schema.$ref, within), ...keyDefaults(schema, within, keys) };
  const { type, format, items, additionalProperties, required, nullable } = schema;
  const mapKeys = canTellApart(schema) ? schema['x-kubernetes-list-map-keys'] : undefined;
  const listType = type === 'array' ? listTypeOf(schema) : undefined;
  const mapType = schema['x-kubernetes-map-type'];
  return {
    ...(type === undefined ? { 'x-kubernetes-preserve-unknown-fields': true } : { type }),
    ...(format !== undefined && { format }),
    ...(nullable === true && { nullable }),
    ...(schema.properties !== undefined && { properties: properties(schema, within, keys) }),
    ...(required !== undefined && required.length > 0 && { required: [...required] }),
    ...(items !== undefined && { items: structural(items, within, mapKeys ?? []) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: structural(additionalProperties, within, []),
    }),
    ...(listType !== undefined && { 'x-kubernetes-list-type': listType }),
    ...(mapKeys !== undefined && { 'x-kubernetes-list-map-keys': [...mapKeys] }),
    ...(mapType !== undefined && { 'x-kubernetes-map-type': mapType }),
  };
}

/** Custom resources want keys that are always there; some built-in kinds are content with less. */
function canTellApart({ items, 'x-kubernetes-list-map-keys': keys = [] }: Schema): boolean {
  const item = items?.$ref === undefined ? items : builtinSchemas().definition(items.$ref);
  return keys.every(
    (key) => item?.required?.includes(key) === true || item?.properties?.[key]?.default !== undefined,
  );
}

function listTypeOf(schema: Schema): string | undefined {
  const listType = schema['x-kubernetes-list-type'];
  return listType === 'map' && !canTellApart(schema) ? 'atomic' : listType;
}

function properties(
  { properties: all = {}, required = [] }: Schema,
  within: readonly string[],
  keys: readonly string[],
): { [name: string]: JSONSchemaProps } {
  return Object.fromEntries(
    Object.entries(all).map(([name, property]) => {
      const needsDefault = keys.includes(name) && !required.includes(name) && property.default !== undefined;
      const schema = structural(property, within, []);
      return [name, needsDefault ? { ...schema, default: property.default ?? null } : schema];
    }),
  );
}

/** The items of a list are mostly a reference: its fields are where the keys are. */
function keyDefaults(
  { $ref = '' }: Schema,
  within: readonly string[],
  keys: readonly string[],
): JSONSchemaProps {
  const schema = keys.length === 0 || SPECIAL.has($ref) ? undefined : builtinSchemas().definition($ref);
  return schema?.properties === undefined ? {} : { properties: properties(schema, [...within, $ref], keys) };
}
