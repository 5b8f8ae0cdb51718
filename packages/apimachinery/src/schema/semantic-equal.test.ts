import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { jsonValue } from '../json/json-testing.ts';
import { builtinSchemas, schemaFor } from './builtin-schemas.ts';
import { semanticEqual } from './semantic-equal.ts';

const source = builtinSchemas();

function pods(a: unknown, b: unknown): boolean {
  const schema = schemaFor({ group: '', version: 'v1', kind: 'Pod' });
  assert.ok(schema !== undefined);
  const forward = semanticEqual(a, b, schema, source);
  assert.equal(semanticEqual(b, a, schema, source), forward, 'it goes both ways');
  return forward;
}

const container = (extra: object) => ({ spec: { containers: [{ name: 'c', ...extra }] } });

describe('with a schema, the same', () => {
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    [
      'quantities of one value',
      container({ resources: { limits: { cpu: '1', memory: '1Gi' } } }),
      container({ resources: { limits: { cpu: '1000m', memory: '1024Mi' } } }),
    ],
    [
      'a quantity that somebody did not quote',
      container({ resources: { limits: { cpu: 1 } } }),
      container({ resources: { limits: { cpu: '1' } } }),
    ],
    ['an absent list and an empty one', container({ env: [] }), container({})],
    ['an absent map and an empty one', { metadata: { labels: {} } }, { metadata: {} }],
    ['an absent map and null', { metadata: { labels: null } }, {}],
    ['a struct that is always there', container({ resources: {} }), container({})],
    ['and what is in it', container({ resources: { limits: {} } }), container({})],
    [
      'times of one instant',
      { metadata: { creationTimestamp: '2024-01-01T00:00:00Z' } },
      { metadata: { creationTimestamp: '2024-01-01T01:00:00+01:00' } },
    ],
  ];
  for (const [name, a, b] of rows) test(name, () => assert.equal(pods(a, b), true));
});

describe('with a schema, not the same', () => {
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    [
      'other quantities',
      container({ resources: { limits: { cpu: '1' } } }),
      container({ resources: { limits: { cpu: '1001m' } } }),
    ],
    [
      'what is no quantity',
      container({ resources: { limits: { cpu: 'x' } } }),
      container({ resources: { limits: { cpu: 'y' } } }),
    ],
    [
      'texts that would be one quantity',
      { metadata: { labels: { cpu: '1' } } },
      { metadata: { labels: { cpu: '1000m' } } },
    ],
    ['a struct that may be there with nothing in it', { spec: { securityContext: {} } }, { spec: {} }],
    ['a field that is there', { metadata: { labels: { a: '' } } }, { metadata: {} }],
    [
      'the order of a list',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { finalizers: ['b', 'a'] } },
    ],
    ['a longer list', container({ args: ['a'] }), container({ args: ['a', 'b'] })],
    [
      'other times',
      { metadata: { creationTimestamp: '2024-01-01T00:00:00Z' } },
      { metadata: { creationTimestamp: 'never' } },
    ],
    ['zero where absent means something else', { spec: { terminationGracePeriodSeconds: 0 } }, { spec: {} }],
    ['a field that every object inherits', { metadata: { labels: { constructor: 'x' } } }, { metadata: {} }],
  ];
  for (const [name, a, b] of rows) test(name, () => assert.equal(pods(a, b), false));
});

describe('without a schema', () => {
  test('what is empty is absent, and texts are texts', () => {
    assert.equal(semanticEqual({ a: {}, b: [], c: { d: null } }, {}), true);
    assert.equal(semanticEqual({ a: [{}] }, { a: [] }), false);
    assert.equal(semanticEqual('1', '1000m'), false);
    assert.equal(semanticEqual({ a: 0 }, {}), false);
  });

  test('every value is equal to its copy', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value));
        assert.equal(semanticEqual(value, copy), true);
        assert.equal(semanticEqual({ value, last: 1 }, { value: copy, last: 2 }), false);
      }),
    );
  });
});
