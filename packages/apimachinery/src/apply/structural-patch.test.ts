import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Schema } from '../schema/schema.ts';
import { mergeStructuralPatch } from './structural-patch.ts';
import { TypeCompiler } from './types/type-compiler.ts';

const NAMED: Schema = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } };
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: NAMED,
    },
    whole: { type: 'array', items: { type: 'string' } },
    fixed: { ...NAMED, 'x-kubernetes-map-type': 'atomic' },
  },
};
const types = new TypeCompiler({ definition: () => undefined });
const LIVE = {
  size: 1,
  labels: { a: '1' },
  parts: [{ name: 'x', size: 1 }],
  whole: ['a'],
  fixed: { name: 'f' },
};

describe('a structural patch', () => {
  const rows: readonly (readonly [what: string, patch: Record<string, unknown>, changed: object])[] = [
    ['replaces values', { size: 2 }, { size: 2 }],
    ['adds to maps', { labels: { b: '2' } }, { labels: { a: '1', b: '2' } }],
    [
      'merges items by their keys and adds others',
      { parts: [{ name: 'x', size: 3 }, { name: 'y' }] },
      { parts: [{ name: 'x', size: 3 }, { name: 'y' }] },
    ],
    ['leaves out nothing', {}, {}],
  ];
  for (const [what, patch, changed] of rows) {
    it(what, () => {
      assert.deepEqual(mergeStructuralPatch(LIVE, patch, types, SCHEMA), { ...LIVE, ...changed });
    });
  }

  for (const [what, patch, text] of [
    ['fields that are not there', { nope: 1 }, /failed to convert patch object to typed object: .*nope/],
    ['values of another type', { size: 'x' }, /failed to convert patch object to typed object: .*size/],
    [
      'what is only replaced as a whole',
      { whole: ['b'], fixed: { size: 1 } },
      /invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: \.whole, \.fixed$/,
    ],
  ] as const) {
    it(`is refused with ${what}`, () => {
      assert.throws(() => mergeStructuralPatch(LIVE, patch, types, SCHEMA), {
        name: 'ApplyError',
        message: text,
      });
    });
  }
});
