import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { builtinSchemas } from '../../schema/builtin-schemas.ts';
import type { Schema } from '../../schema/schema.ts';
import { pathsOf } from '../testing.ts';
import { customResourceSchema } from './custom-resource-schema.ts';
import { toFieldSet } from './to-field-set.ts';
import { TypeCompiler } from './type-compiler.ts';
import { validate } from './validate.ts';

const types = new TypeCompiler(builtinSchemas());
const owned = (schema: Schema | undefined, value: JsonObject): string[] => {
  const type = types.typeOf(customResourceSchema(schema));
  validate(value, type);
  return pathsOf(toFieldSet(value, type));
};
const metadata: JsonValue = { labels: { a: 'b' }, finalizers: ['x'] };
const embedded: Schema = { type: 'object', 'x-kubernetes-embedded-resource': true };

describe('customResourceSchema', () => {
  it('knows the metadata of every object', () => {
    const schema: Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    };
    assert.deepEqual(owned(schema, { apiVersion: 'v1', kind: 'X', metadata, spec: { a: 'x' } }), [
      '.apiVersion',
      '.kind',
      '.metadata.finalizers[="x"]',
      '.metadata.labels.a',
      '.spec.a',
    ]);
    assert.throws(() => owned(schema, { spec: { b: 'x' } }), {
      message: '.spec.b: field not declared in schema',
    });
  });

  it('knows the metadata of embedded objects, wherever they are', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        one: embedded,
        list: { type: 'array', items: embedded, 'x-kubernetes-list-type': 'atomic' },
        map: {
          type: 'object',
          additionalProperties: { ...embedded, properties: { spec: { type: 'object' } } },
        },
      },
    };
    assert.deepEqual(
      owned(schema, { one: { metadata }, list: [{ metadata }], map: { x: { metadata, spec: { a: 1 } } } }),
      [
        '.list',
        '.map.x',
        '.map.x.metadata.finalizers[="x"]',
        '.map.x.metadata.labels.a',
        '.map.x.spec.a',
        '.one.metadata.finalizers[="x"]',
        '.one.metadata.labels.a',
      ],
    );
    assert.throws(() => owned(schema, { one: { metadata: { nope: 1 } } }));
  });

  it('takes anything where there is no schema', () => {
    assert.deepEqual(owned(undefined, { metadata, any: [1] }), [
      '.any',
      '.metadata',
      '.metadata.finalizers',
      '.metadata.labels',
      '.metadata.labels.a',
    ]);
  });
});
