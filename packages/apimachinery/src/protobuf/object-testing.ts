// Objects of any built-in kind, made from its schema, for property tests.
import * as fc from 'fast-check';
import type { JsonValue } from '../object.ts';
import { builtinSchemas } from '../schema/builtin-schemas.ts';
import type { Schema } from '../schema/schema.ts';
import { formatMicros, formatSeconds } from './timestamp.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const EXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Definitions lead back to themselves; past this depth only what is required is made. */
const MAX_DEPTH = 7;

type Json = fc.Arbitrary<JsonValue>;

const text: Json = fc.oneof(
  { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }) },
  { weight: 1, arbitrary: fc.constant('') },
);
const bytes: Json = fc.uint8Array({ maxLength: 6 }).map((value) => Buffer.from(value).toString('base64'));
const int32: Json = fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31)));
const int64: Json = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 1, 2 ** 32, -(2 ** 32), -1));
const seconds = fc.integer({ min: -62_135_596_799, max: 253_402_300_799 });
/** Without what Go's JSON cannot carry through unchanged. */
const anyJson: Json = fc.object({
  key: fc.string({ minLength: 1, maxLength: 6 }),
  values: [fc.boolean(), fc.integer(), text, fc.constant(null)],
  maxDepth: 2,
  maxKeys: 3,
}) as Json;

const SPECIAL: Readonly<Record<string, (depth: number) => Json>> = {
  [`${META}.Time`]: () => seconds.map(formatSeconds),
  [`${META}.MicroTime`]: () =>
    fc
      .tuple(seconds, fc.integer({ min: 0, max: 999_999 }))
      .map(([at, micros]) => formatMicros(at, micros * 1000)),
  [`${META}.FieldsV1`]: () => fc.constant({ 'f:metadata': { 'f:labels': { '.': {} } } }),
  [`${META}.Patch`]: () => anyJson,
  'io.k8s.apimachinery.pkg.api.resource.Quantity': () =>
    fc.constantFrom('0', '1', '500m', '1Gi', '12345n', '-3'),
  'io.k8s.apimachinery.pkg.runtime.RawExtension': () => anyJson,
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': () => fc.oneof(int32, text),
  [`${EXTENSIONS}.JSON`]: () => fc.oneof(anyJson, fc.integer(), text),
  [`${EXTENSIONS}.JSONSchemaPropsOrArray`]: (depth) => {
    const schema = definition(`${EXTENSIONS}.JSONSchemaProps`, depth + 1);
    return fc.oneof(schema, fc.array(schema, { minLength: 1, maxLength: 2 }));
  },
  [`${EXTENSIONS}.JSONSchemaPropsOrBool`]: (depth) =>
    fc.oneof(fc.boolean(), definition(`${EXTENSIONS}.JSONSchemaProps`, depth + 1)),
  [`${EXTENSIONS}.JSONSchemaPropsOrStringArray`]: (depth) =>
    fc.oneof(
      fc.array(text, { minLength: 1, maxLength: 2 }),
      definition(`${EXTENSIONS}.JSONSchemaProps`, depth + 1),
    ),
};

const made = new Map<string, Json>();

function definition(name: string, depth: number): Json {
  // A schema holds ten kinds of schemas; counted once a level, they would fill megabytes.
  const level = Math.min(name.endsWith('.JSONSchemaProps') ? depth + 1 : depth, MAX_DEPTH);
  const key = `${name} ${level}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const special = SPECIAL[name];
  const schema = builtinSchemas().definition(name) ?? {};
  const arbitrary = special === undefined ? ofSchema(schema, level) : special(level);
  made.set(key, arbitrary);
  return arbitrary;
}

function ofSchema(schema: Schema, depth: number): Json {
  if (schema.$ref !== undefined) return definition(schema.$ref, depth + 1);
  switch (schema.type) {
    case 'string':
      return schema.format === 'byte' ? bytes : text;
    case 'integer':
      return schema.format === 'int32' ? int32 : int64;
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(ofSchema(schema.items ?? {}, depth), { maxLength: 2 });
    default:
      if (typeof schema.additionalProperties === 'object')
        return fc.dictionary(fc.string({ maxLength: 8 }), ofSchema(schema.additionalProperties, depth), {
          maxKeys: 3,
          noNullPrototype: true,
        });
      return fc.record(properties(schema, depth), {
        requiredKeys: [...(schema.required ?? [])],
        noNullPrototype: true,
      });
  }
}

function properties(schema: Schema, depth: number): Record<string, Json> {
  const required = new Set(schema.required);
  const deep = depth >= MAX_DEPTH;
  const isKind = 'x-kubernetes-group-version-kind' in schema;
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => !isKind || (name !== 'apiVersion' && name !== 'kind'))
      .filter(([name, property]) => required.has(name) || !deep || !refers(property))
      .map(([name, property]) => [
        name,
        name === CLAIMS ? claims(property, depth) : ofSchema(property, depth),
      ]),
  );
}

/** The only kinds inside of others. A server names their type, so that they have it from the start. */
const CLAIMS = 'volumeClaimTemplates';

function claims(schema: Schema, depth: number): Json {
  const typed = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
  return ofSchema(schema, depth).map((list) =>
    Array.isArray(list) ? list.map((claim) => Object.assign({}, claim, typed)) : list,
  );
}

function refers({ $ref, items, additionalProperties }: Schema): boolean {
  const values = typeof additionalProperties === 'object' ? additionalProperties.$ref : undefined;
  return ($ref ?? items?.$ref ?? values) !== undefined;
}

/** An object of the kind, with its apiVersion and kind. */
export function objectOf(
  apiVersion: string,
  kind: string,
  name: string,
): fc.Arbitrary<{ [key: string]: JsonValue }> {
  return definition(name, 0).map((value) => ({
    ...(value as { [key: string]: JsonValue }), // kinds are objects
    apiVersion,
    kind,
  }));
}
