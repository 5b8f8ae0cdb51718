import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Schema } from '@windlass/apimachinery';
import { v2Schema } from './v2-schema.ts';

const PRESERVES = { 'x-kubernetes-preserve-unknown-fields': true } as const;
const STRING = { type: 'string' } as const;

const ROWS: readonly (readonly [string, Schema, Schema])[] = [
  ['junctors go', { ...STRING, anyOf: [{ pattern: 'a' }], oneOf: [], allOf: [], not: {} }, STRING],
  ['what may be null has no type', { type: 'string', nullable: true }, {}],
  ['nor fields, nor items', { type: 'object', nullable: true, properties: { a: STRING } }, {}],
  [
    'unknown fields leave no known ones',
    { type: 'object', ...PRESERVES, properties: { a: STRING } },
    PRESERVES,
  ],
  ['nor items', { type: 'array', ...PRESERVES, items: STRING }, PRESERVES],
  ['but other types stay', { type: 'string', ...PRESERVES }, { type: 'string', ...PRESERVES }],
  ['a list of nothing has no type', { type: 'array' }, {}],
  [
    'a field that may be null is not required',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', nullable: true }, b: STRING },
    },
    { type: 'object', required: ['b'], properties: { a: {}, b: STRING } },
  ],
  [
    'nor is any field of a map of such',
    { type: 'object', required: ['a'], additionalProperties: { type: 'string', nullable: true } },
    { type: 'object', additionalProperties: {} },
  ],
  [
    'rules, formats and limits stay, at every depth',
    {
      type: 'array',
      items: { type: 'string', format: 'date', maxLength: 3, 'x-kubernetes-validations': [{ rule: 'x' }] },
    },
    {
      type: 'array',
      items: { type: 'string', format: 'date', maxLength: 3, 'x-kubernetes-validations': [{ rule: 'x' }] },
    },
  ],
  [
    'a map of anything stays',
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: true },
  ],
];

describe('a schema for OpenAPI v2', () => {
  for (const [what, schema, expected] of ROWS)
    it(what, () => {
      assert.deepEqual(v2Schema(schema), expected);
    });
});
