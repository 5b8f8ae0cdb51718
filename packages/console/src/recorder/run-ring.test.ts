import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunSummary } from '../protocol.ts';
import { RunRing } from './run-ring.ts';

function ringOf(capacity: number, runs: number): RunRing {
  const ring = new RunRing(capacity);
  for (let id = 0; id < runs; id++)
    // Only the id is looked at.
    ring.add({ summary: { id } as RunSummary, reasons: () => [], mentions: () => false, notes: undefined });
  return ring;
}

const ids = (runs: Iterable<{ readonly summary: RunSummary }>): number[] =>
  Array.from(runs, ({ summary }) => summary.id);

test('the last runs are kept', () => {
  const ring = ringOf(3, 5);
  assert.equal(ring.next, 5);
  assert.deepEqual(ids(ring.newest()), [4, 3, 2]);
  assert.deepEqual(ids(ring.since(0, 10)), [2, 3, 4]);
  assert.deepEqual(ids(ring.since(4, 10)), [4]);
  assert.deepEqual(ids(ring.since(5, 10)), []);
  assert.deepEqual(ids(ring.since(0, 2)), [3, 4], 'of too many the newest');
});

test('a ring that is not full has what there is', () => {
  assert.deepEqual(ids(ringOf(10, 2).newest()), [1, 0]);
  assert.deepEqual(ids(ringOf(10, 2).since(1, 10)), [1]);
  assert.deepEqual(ids(ringOf(10, 0).newest()), []);
});
