import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonValue } from '../object.ts';
import { apiVersionOf } from '../resource.ts';
import { builtinSchemas } from '../schema/builtin-schemas.ts';
import { builtinResources } from '../schema/registry-builtin.ts';
import type { Schema } from '../schema/schema.ts';
import { decodeProtobuf, encodeProtobuf, hasProtobufForm } from './envelope.ts';
import { messageFacts, messageNameOf, protobufKinds } from './message-table.ts';
import { objectOf } from './object-testing.ts';

const schemas = builtinSchemas();

/** Every kind that has both a schema and a protobuf form. */
const kinds = protobufKinds().flatMap(({ apiVersion, kind }) => {
  const name = messageNameOf(apiVersion, kind);
  return name !== undefined && schemas.definition(name) !== undefined ? [{ apiVersion, kind, name }] : [];
});

/** Nothing: what Go shows in JSON, or leaves out, when a value is not set. */
function isNothing(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

/** What quantities and whole numbers show when they are not set. */
const isZero = (value: JsonValue): boolean => value === '0' || isNothing(value);

/** What went in came out; what came out besides is only what JSON shows of things that are not set. */
function assertSame(before: JsonValue | undefined, after: JsonValue | undefined, path: string): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    assert.equal(after.length, before.length, path);
    for (const [index, item] of before.entries()) assertSame(item, after[index], `${path}[${index}]`);
  } else if (isPlain(before) && isPlain(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      assertSame(before[key], after[key], `${path}.${key}`);
  } else {
    const nothing = isNothing(before) && isAllZero(after);
    assert.ok(nothing, `${path}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`);
  }
}

function isAllZero(value: JsonValue | undefined): boolean {
  if (isPlain(value)) return Object.values(value).every(isAllZero);
  return value === undefined || isZero(value);
}

function isPlain(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

test('every served kind and its list have a protobuf form', () => {
  for (const resource of builtinResources().resources) {
    const apiVersion = apiVersionOf(resource);
    const { kind, listKind, verbs, subresources } = resource;
    assert.ok(hasProtobufForm({ apiVersion, kind }), `${apiVersion} ${kind}`);
    if (verbs.includes('list')) assert.ok(hasProtobufForm({ apiVersion, kind: listKind }), listKind);
    for (const sub of subresources)
      assert.ok(hasProtobufForm({ apiVersion: apiVersionOf(sub), kind: sub.kind }), sub.kind);
  }
  assert.equal(hasProtobufForm({ apiVersion: 'example.com/v1', kind: 'Foo' }), false);
  assert.equal(hasProtobufForm({ apiVersion: 'v1', kind: 'PodSpec' }), false);
});

test('the schemas and the protobuf table name the same fields', () => {
  const isStruct = (schema: Schema): boolean => schema.properties !== undefined;
  const jsonNames = (name: string): string[] =>
    (messageFacts(name)?.fields ?? []).flatMap((field) =>
      field.inline ? jsonNames(field.type) : [field.name],
    );
  let compared = 0;
  for (const name of schemas.names) {
    const schema = schemas.definition(name) ?? {};
    const facts = messageFacts(name);
    if (facts === undefined || facts.isList || !isStruct(schema)) continue;
    const isKind = kinds.some((kind) => kind.name === name) || 'x-kubernetes-group-version-kind' in schema;
    const implied = isKind ? ['apiVersion', 'kind'] : [];
    assert.deepEqual(
      [...jsonNames(name), ...implied].sort(),
      Object.keys(schema.properties ?? {}).sort(),
      name,
    );
    compared++;
  }
  assert.ok(compared > 700, `only ${compared} definitions were compared`);
});

for (const { apiVersion, kind, name } of kinds) {
  const isList = kind.endsWith('List');
  test(`${apiVersion} ${kind} comes back as it was`, () => {
    const property = fc.property(objectOf(apiVersion, kind, name), (object) => {
      const decoded = decodeProtobuf(encodeProtobuf(object));
      assertSame(object, decoded, kind);
      assert.deepEqual(decodeProtobuf(encodeProtobuf(decoded)), decoded);
    });
    fc.assert(property, { numRuns: isList ? 2 : 8 });
  });
}
