import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type TestObject, testObject } from '../testing/test-object.ts';
import { type Delta, DeltaFifo, MAX_BATCH } from './delta-fifo.ts';

type TestDelta = Delta<TestObject>;

let writes = 0;
const object = (key: string): TestObject => testObject(key, { uid: key, version: ++writes, writes });
const change = (type: 'Added' | 'Updated' | 'Deleted', key: string): TestDelta => ({
  type,
  key,
  object: object(key),
});
const replaced = (...keys: string[]): TestDelta => ({
  type: 'Replaced',
  objects: new Map(keys.map((key) => [key, object(key)])),
  resourceVersion: String(++writes),
  versionsAreUnique: true,
});
const bookmark = (): TestDelta => ({ type: 'Bookmark', resourceVersion: String(++writes) });
const SYNC: TestDelta = { type: 'Sync' };

function fifoOf(...deltas: readonly TestDelta[]): DeltaFifo<TestObject> {
  const fifo = new DeltaFifo<TestObject>();
  for (const delta of deltas) fifo.add(delta);
  return fifo;
}

function drain(fifo: DeltaFifo<TestObject>): TestDelta[][] {
  const batches: TestDelta[][] = [];
  for (let batch = fifo.popBatch(); batch.length > 0; batch = fifo.popBatch()) batches.push(batch);
  return batches;
}

test('deltas come out in order, across keys, in one batch', () => {
  const deltas = [change('Added', 'a'), change('Added', 'b'), change('Updated', 'a'), SYNC, bookmark()];
  const fifo = fifoOf(...deltas);
  assert.deepEqual(drain(fifo), [deltas]);
  assert.deepEqual(fifo.popBatch(), []);
});

test('nothing is folded: what a delta means, the cache decides', () => {
  const deltas = [change('Deleted', 'a'), change('Deleted', 'a'), SYNC, SYNC];
  assert.deepEqual(drain(fifoOf(...deltas)), [deltas]);
});

test('a Replaced comes alone', () => {
  const [before, whole, another, after] = [
    change('Added', 'a'),
    replaced('b'),
    replaced(),
    change('Updated', 'b'),
  ];
  assert.deepEqual(drain(fifoOf(before, whole, another, after)), [[before], [whole], [another], [after]]);
});

test('a batch has an end', () => {
  const deltas = Array.from({ length: MAX_BATCH * 2 + 1 }, (_, index) => change('Added', `key-${index}`));
  assert.deepEqual(
    drain(fifoOf(...deltas)).map((batch) => batch.length),
    [MAX_BATCH, MAX_BATCH, 1],
  );
});

test('a batch that has left is the caller`s: nothing is added to it', () => {
  const fifo = fifoOf(change('Added', 'a'));
  const batch = fifo.popBatch();
  const later = change('Added', 'b');
  fifo.add(later);
  assert.equal(batch.length, 1);
  assert.deepEqual(fifo.popBatch(), [later]);
});

// ---- for any sequence

const command = fc.tuple(
  fc.constantFrom('pop', 'Added', 'Updated', 'Deleted', 'Replaced', 'Sync', 'Bookmark'),
  fc.constantFrom('a', 'b', 'c'),
);

function deltaOf(type: TestDelta['type'], key: string): TestDelta {
  if (type === 'Replaced') return replaced(key);
  if (type === 'Sync') return SYNC;
  return type === 'Bookmark' ? bookmark() : change(type, key);
}

test('in any sequence all that went in comes out once, in order', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const fifo = new DeltaFifo<TestObject>();
      const went: TestDelta[] = [];
      const came: TestDelta[][] = [];
      for (const [what, key] of commands) {
        if (what === 'pop') came.push(fifo.popBatch());
        else {
          const delta = deltaOf(what, key);
          went.push(delta);
          fifo.add(delta);
        }
      }
      came.push(...drain(fifo));
      assert.deepEqual(came.flat(), went);
      for (const batch of came)
        assert.ok(
          batch.length <= 1 || batch.every(({ type }) => type !== 'Replaced'),
          'a Replaced not alone',
        );
    }),
    { numRuns: 300 },
  );
});
