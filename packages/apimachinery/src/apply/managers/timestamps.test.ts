import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject, ManagedFieldsEntry } from '../../object.ts';
import { keepTimestamps } from './timestamps.ts';

const entry = (time: string, field = 'f:a'): ManagedFieldsEntry => ({
  manager: 'me',
  operation: 'Apply',
  time,
  fieldsV1: { [field]: {} },
});
const object = (managedFields: ManagedFieldsEntry[], labels = { a: 'b' }): KubeObject => ({
  kind: 'Thing',
  metadata: { labels, managedFields },
});

const EARLY = '2030-01-01T00:00:00Z';
const LATE = '2030-01-01T00:00:01Z';

describe('keepTimestamps', () => {
  it('keeps the old times when nothing else differs', () => {
    const live = object([entry(EARLY)]);
    assert.deepEqual(keepTimestamps(live, object([entry(LATE)])), live);
  });

  const rows: [what: string, updated: KubeObject][] = [
    ['the object differs', object([entry(LATE)], { a: 'c' })],
    ['what is owned differs', object([entry(LATE, 'f:b')])],
    ['there is another owner', object([entry(LATE), entry(LATE, 'f:b')])],
    ['there is no owner', object([])],
    ['no time differs', object([entry(EARLY)], { a: 'c' })],
  ];
  for (const [what, updated] of rows)
    it(`leaves the update as it is when ${what}`, () => {
      assert.equal(keepTimestamps(object([entry(EARLY)]), updated), updated);
    });
});
