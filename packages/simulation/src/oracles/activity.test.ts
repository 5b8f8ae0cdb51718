import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalEntry } from '../journal-entry.ts';
import { Activity } from './activity.ts';

function write(key: string, by = 'operator'): JournalEntry {
  return { atMs: 1, by, verb: 'update', key, revision: 1, object: {}, previous: {} };
}

function after(count: number, entry: (index: number) => JournalEntry): Activity {
  const activity = new Activity();
  for (let index = 0; index < count; index++) activity.wrote(entry(index));
  return activity;
}

test('who writes one object more than 200 times is named, with the object', () => {
  assert.equal(after(200, () => write('//configmaps/default/a')).endless(['operator']), undefined);
  assert.equal(
    after(201, () => write('//configmaps/default/a')).endless(['operator']),
    'operator updates configmaps default/a again and again, 200 times so far',
  );
});

test('many writes to many objects are no loop', () => {
  const activity = after(2000, (index) => write(`//configmaps/default/${index % 20}`));
  assert.equal(activity.endless(['operator']), undefined);
});

test('neither are heartbeats, what others do, and what was before', () => {
  assert.equal(
    after(500, () => write('/coordination.k8s.io/leases/default/a')).endless(['operator']),
    undefined,
  );
  assert.equal(
    after(500, () => write('//configmaps/default/a', 'controllers')).endless(['operator']),
    undefined,
  );
  const activity = after(500, () => write('//configmaps/default/a'));
  activity.reset(2);
  assert.equal(activity.endless(['operator']), undefined);
});
