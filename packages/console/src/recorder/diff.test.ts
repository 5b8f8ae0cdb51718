import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffObjects, readableYaml } from './diff.ts';

const lines = (before: unknown, after: unknown): string[] =>
  diffObjects(before, after).map(({ path, before, after }) => `${path}: ${before ?? '-'} → ${after ?? '-'}`);

for (const [what, before, after, expected] of [
  ['nothing differs', { spec: { replicas: 1 } }, { spec: { replicas: 1 } }, []],
  ['a field', { spec: { replicas: 1, a: 2 } }, { spec: { replicas: 3, a: 2 } }, ['spec.replicas: 1 → 3']],
  ['a new field', { spec: {} }, { spec: { paused: true } }, ['spec.paused: - → true']],
  ['a field that is gone', { data: { a: 'x' } }, { data: {} }, ['data.a: x → -']],
  [
    'a key that is no word',
    { metadata: { labels: { 'a.b/c': '1' } } },
    { metadata: { labels: { 'a.b/c': '2' } } },
    ['metadata.labels["a.b/c"]: 1 → 2'],
  ],
  [
    'an item of a list of the same length',
    { spec: { containers: [{ image: 'a' }, { image: 'b' }] } },
    { spec: { containers: [{ image: 'a' }, { image: 'c' }] } },
    ['spec.containers[1].image: b → c'],
  ],
  [
    'items that have names, wherever they stand',
    { c: [{ type: 'A', s: 'True' }, { type: 'B', s: 'False' }, { type: 'C' }] },
    { c: [{ type: 'B', s: 'True' }, { type: 'A', s: 'True' }, { type: 'D' }] },
    ['c[type=B].s: False → True', 'c[type=D]: - → type: D', 'c[type=C]: type: C → -'],
  ],
  [
    'containers by their names',
    {
      c: [
        { name: 'a', image: '1' },
        { name: 'b', image: '2' },
      ],
    },
    {
      c: [
        { name: 'b', image: '3' },
        { name: 'a', image: '1' },
      ],
    },
    ['c[name=b].image: 2 → 3'],
  ],
  [
    'references by their uids',
    {
      o: [
        { uid: '1', kind: 'X' },
        { uid: '2', kind: 'Y' },
      ],
    },
    { o: [{ uid: '2', kind: 'Y' }] },
    ['o[uid=1]: kind: X\nuid: "1" → -'],
  ],
  [
    'items that have a name and a type by the name',
    { l: [{ name: 'a', type: 'X' }] },
    { l: [{ name: 'a', type: 'Y' }] },
    ['l[name=a].type: X → Y'],
  ],
  [
    'items that share a name by where they stand',
    {
      l: [
        { name: 'a', p: 1 },
        { name: 'a', p: 2 },
      ],
    },
    {
      l: [
        { name: 'a', p: 1 },
        { name: 'a', p: 3 },
      ],
    },
    ['l[1].p: 2 → 3'],
  ],
  ['a list of another length', { l: [1] }, { l: [1, 2] }, ['l: - 1 → - 1\n- 2']],
  [
    'what every write changes is left out',
    { metadata: { resourceVersion: '1', generation: 1, managedFields: [] } },
    { metadata: { resourceVersion: '2', generation: 2, managedFields: [{ manager: 'x' }] } },
    [],
  ],
  ['a new object', undefined, { kind: 'ConfigMap' }, [': - → kind: ConfigMap']],
] as const)
  test(`differences: ${what}`, () => assert.deepEqual(lines(before, after), expected));

test('a large difference is cut', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index]));
  assert.equal(diffObjects({ data: {} }, { data: many }).length, 60);
  const [line] = diffObjects({ data: '' }, { data: 'x'.repeat(10_000) });
  assert.equal(line?.after?.length, 2001);
});

test('YAML has no managed fields', () => {
  const yaml = readableYaml({
    metadata: { name: 'a', managedFields: [{ manager: 'x' }] },
    kind: 'ConfigMap',
    apiVersion: 'v1',
  });
  assert.equal(yaml, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n');
});
