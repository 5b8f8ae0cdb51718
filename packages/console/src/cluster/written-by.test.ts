import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@windlass/apimachinery';
import { writtenBy } from './written-by.ts';

type Entry = NonNullable<NonNullable<KubeObject['metadata']>['managedFields']>[number];

const at = (second: number): string => `2026-11-18T12:00:0${second}Z`;
const entry = (manager: string, second: number, field: string, subresource = ''): Entry => ({
  manager,
  operation: 'Update',
  time: at(second),
  fieldsV1: { [`f:${field}`]: {} },
  ...(subresource !== '' && { subresource }),
});
const object = (...managedFields: Entry[]): KubeObject => ({
  metadata: { name: 'a', creationTimestamp: at(0), managedFields },
});

for (const [what, before, after, by, second] of [
  ['a create, by its only entry', undefined, object(entry('kubectl', 1, 'spec')), 'kubectl', 1],
  ['a create without entries has a time all the same', undefined, object(), undefined, 0],
  [
    'who comes anew',
    object(entry('kubectl', 1, 'spec')),
    object(entry('kubectl', 1, 'spec'), entry('operator', 2, 'data')),
    'operator',
    2,
  ],
  [
    'who writes again, though its entry stands first',
    object(entry('kubectl', 1, 'spec'), entry('operator', 2, 'data')),
    object(entry('kubectl', 3, 'spec'), entry('operator', 2, 'data')),
    'kubectl',
    3,
  ],
  [
    'not who loses a field and keeps the time of its own last write, even when that is later',
    object(entry('kubectl', 5, 'spec'), entry('operator', 2, 'data')),
    object(entry('kubectl', 5, 'less'), entry('operator', 3, 'more')),
    'operator',
    3,
  ],
  [
    'who comes anew in the second of the one who loses a field to it',
    object(entry('kubectl', 1, 'spec')),
    object(entry('operator', 1, 'data'), entry('kubectl', 1, 'less')),
    'operator',
    1,
  ],
  [
    'of the same second, who changed its fields',
    object(entry('kubectl', 1, 'spec')),
    object(entry('kubectl', 1, 'other')),
    'kubectl',
    1,
  ],
  [
    'a status, by its own entry of the same manager',
    object(entry('operator', 1, 'spec')),
    object(entry('operator', 1, 'spec'), entry('operator', 1, 'status', 'status')),
    'operator (status)',
    1,
  ],
] as const)
  test(`a revision was written by: ${what}`, () => {
    assert.deepEqual(writtenBy(before, after), { by, at: Date.parse(at(second)) });
  });

test('of a revision that no entry tells of nothing is known', () => {
  const same = object(entry('kubectl', 1, 'spec'));
  assert.deepEqual(writtenBy(same, same), { by: undefined, at: undefined });
});
