import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { builtinSchemas, schemaFor } from '../schema/builtin-schemas.ts';
import type { Schema } from '../schema/schema.ts';
import { schemaFields } from '../schema/schema-fields.ts';
import { jsonValue } from './json-testing.ts';
import { anyFields, type KnownFields, scanFields } from './strict-fields.ts';

describe('duplicate fields', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['{"a":1,"b":2}', []],
    ['{"a":1,"a":2}', ['duplicate field "a"']],
    ['{"a":1,"a":2,"a":3}', ['duplicate field "a"']],
    ['{"spec":{"a":1,"a":2},"metadata":{"a":1}}', ['duplicate field "spec.a"']],
    ['{"list":[{"a":1},{"b":1,"b":2}]}', ['duplicate field "list[1].b"']],
    ['{"a":[[{"x":1,"x":2}]]}', ['duplicate field "a[0][0].x"']],
    ['[{"a":1,"a":2}]', ['duplicate field "[0].a"']],
    ['{"a":{"x":1},"a":{"x":1,"x":2}}', ['duplicate field "a"', 'duplicate field "a.x"']],
    // Keys are the same by what they mean, not by how they are written.
    ['{"ab":1,"a\\u0062":2}', ['duplicate field "ab"']],
    ['{"q\\"":1,"q\\"":2}', ['duplicate field "q\\""']],
    ['{"__proto__":1,"__proto__":2}', ['duplicate field "__proto__"']],
    // What looks like JSON within a text is text.
    ['{"a":"{\\"b\\":1,\\"b\\":2}","c":"\\\\"}', []],
    [' { "a" : 1 , "a" : [ ] } ', ['duplicate field "a"']],
    ['"a"', []],
    ['', []],
  ];
  for (const [text, problems] of rows) test(text, () => assert.deepEqual(scanFields(text), problems));

  test('are never found in what JSON.stringify wrote', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(undefined, 2), (value, space) => {
        assert.deepEqual(scanFields(JSON.stringify(value, undefined, space)), []);
      }),
    );
  });

  test('are listed up to a hundred', () => {
    const fields = Array.from({ length: 500 }, (_, index) => `"f${index}":1,"f${index}":2`);
    assert.equal(scanFields(`{${fields.join()}}`).length, 100);
  });
});

describe('unknown fields', () => {
  const leaf: KnownFields = { field: () => undefined, items: anyFields };
  const list: KnownFields = {
    field: () => undefined,
    items: { field: (name) => (name === 'name' ? leaf : undefined), items: leaf },
  };
  const known: KnownFields = {
    field: (name) => ({ name: leaf, list, any: anyFields })[name],
    items: anyFields,
  };

  test('are named with their place, in the order of the text, together with duplicates', () => {
    const text = '{"x":1,"name":"a","list":[{"name":"b"},{"nam":"c","name":1,"name":2}],"name":"d"}';
    assert.deepEqual(scanFields(text, { known }), [
      'unknown field "x"',
      'unknown field "list[1].nam"',
      'duplicate field "list[1].name"',
      'duplicate field "name"',
    ]);
  });

  test('hide what is below them', () => {
    assert.deepEqual(scanFields('{"x":{"a":1,"a":2,"b":[{"c":1,"c":1}]},"name":"a"}', { known }), [
      'unknown field "x"',
    ]);
  });

  test('do not exist where anything goes', () => {
    assert.deepEqual(scanFields('{"any":{"a":{"b":[{"c":1}]}}}', { known }), []);
    assert.deepEqual(scanFields('{"any":{"a":1,"a":2}}', { known }), ['duplicate field "any.a"']);
  });
});

describe('depth', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  test('has a limit', () => {
    assert.deepEqual(scanFields(nested(1000)), []);
    assert.throws(() => scanFields(nested(1001)), { code: 'DECODE_FAILED', line: 1, column: 1001 });
    assert.throws(() => scanFields(nested(3), { maxDepth: 2 }), /nested more than 2 deep/);
  });

  test('is counted, not added up', () => {
    assert.deepEqual(scanFields(`[${'{"a":[]},'.repeat(5000)}1]`, { maxDepth: 3 }), []);
  });
});

describe('the fields of a schema', () => {
  const source = builtinSchemas();
  const fieldsOf = (schema: Schema | undefined): KnownFields => {
    assert.ok(schema !== undefined);
    return schemaFields(schema, source);
  };
  const deployment = fieldsOf(schemaFor({ group: 'apps', version: 'v1', kind: 'Deployment' }));

  test('a good Deployment has nothing unknown', () => {
    const object = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels: { anything: 'x' }, managedFields: [{ fieldsV1: { 'f:spec': {} } }] },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          spec: { containers: [{ name: 'c', resources: { limits: { 'example.com/gpu': '1' } } }] },
        },
      },
    };
    assert.deepEqual(scanFields(JSON.stringify(object), { known: deployment }), []);
  });

  test('typing errors are found, at any depth', () => {
    const object = {
      spec: { replica: 1, template: { spec: { containers: [{ name: 'c', imag: 'x' }] } } },
      Metadata: {},
    };
    assert.deepEqual(scanFields(JSON.stringify(object), { known: deployment }), [
      'unknown field "spec.replica"',
      'unknown field "spec.template.spec.containers[0].imag"',
      'unknown field "Metadata"',
    ]);
  });

  test('what every object inherits is no field', () => {
    const text = '{"spec":{"constructor":1,"__proto__":{}}}';
    assert.deepEqual(scanFields(text, { known: deployment }), [
      'unknown field "spec.constructor"',
      'unknown field "spec.__proto__"',
    ]);
  });

  test('schemas that refer to themselves end', () => {
    const crd = fieldsOf(
      schemaFor({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }),
    );
    const schema = { properties: { a: { properties: { b: { typ: 'string' } } } } };
    const text = JSON.stringify({ spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } });
    assert.deepEqual(scanFields(text, { known: crd }), [
      'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.a.properties.b.typ"',
    ]);
  });

  const structural = (schema: Schema): KnownFields => schemaFields(schema, { definition: () => undefined });

  test('unknown fields that are kept are known, and known ones beside them are looked into', () => {
    const known = structural({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    });
    assert.deepEqual(scanFields('{"x":{"y":1},"spec":{"a":"","b":1}}', { known }), [
      'unknown field "spec.b"',
    ]);
  });

  test('an embedded resource has what every resource has', () => {
    const known = structural({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object' } },
    });
    assert.deepEqual(scanFields('{"apiVersion":"v1","kind":"X","metadata":{"a":1},"other":1}', { known }), [
      'unknown field "other"',
    ]);
  });

  test('additional properties are looked into, or are anything', () => {
    const inner: Schema = { type: 'object', properties: { a: { type: 'string' } } };
    const map = structural({ type: 'object', additionalProperties: inner });
    assert.deepEqual(scanFields('{"k":{"a":"","b":1}}', { known: map }), ['unknown field "k.b"']);
    const open = structural({ type: 'object', properties: {}, additionalProperties: true });
    assert.deepEqual(scanFields('{"k":{"b":1}}', { known: open }), []);
    const closed = structural({ type: 'object', properties: {} });
    assert.deepEqual(scanFields('{"k":1}', { known: closed }), ['unknown field "k"']);
  });

  test('references and allOf are taken in', () => {
    const definitions: Record<string, Schema> = {
      base: { type: 'object', properties: { a: { type: 'string' } } },
    };
    const known = schemaFields(
      { allOf: [{ $ref: 'base' }, { properties: { b: { type: 'string' } } }] },
      { definition: (name) => definitions[name] },
    );
    assert.deepEqual(scanFields('{"a":"","b":"","c":""}', { known }), ['unknown field "c"']);
  });
});
