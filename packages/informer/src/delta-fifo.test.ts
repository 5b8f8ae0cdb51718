import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type Delta, DeltaFifo, MAX_BATCH } from './delta-fifo.ts';
import { type TestObject, testObject } from './testing/test-object.ts';

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
  const deltas = [change('Added', 'a'), change('Added', 'b'), change('Updated', 'a'), bookmark()];
  const fifo = fifoOf(...deltas);
  assert.equal(fifo.length, 4);
  assert.deepEqual(drain(fifo), [deltas]);
  assert.equal(fifo.length, 0);
  assert.deepEqual(fifo.popBatch(), []);
});

test('two deletions in a row are the older one; an addition between them makes them two', () => {
  const [first, second] = [change('Deleted', 'a'), change('Deleted', 'a')];
  assert.deepEqual(drain(fifoOf(first, second)), [[first]]);
  const added = change('Added', 'a');
  assert.deepEqual(drain(fifoOf(first, added, second)), [[first, added, second]]);
});

test('a deletion that has left is not taken for one that waits', () => {
  const fifo = fifoOf(change('Deleted', 'a'));
  drain(fifo);
  const again = change('Deleted', 'a');
  fifo.add(again);
  assert.deepEqual(drain(fifo), [[again]]);
});

test('what a Replaced makes worthless is dropped, and it comes alone', () => {
  const whole = replaced('b');
  const after = change('Updated', 'b');
  assert.deepEqual(drain(fifoOf(change('Added', 'a'), change('Deleted', 'b'), whole, after)), [
    [whole],
    [after],
  ]);
});

test('a Sync that waits is one, and a Replaced does not lose it', () => {
  assert.deepEqual(drain(fifoOf(SYNC, SYNC)), [[SYNC]]);
  const whole = replaced();
  assert.deepEqual(drain(fifoOf(SYNC, whole, SYNC)), [[whole], [SYNC]]);
});

test('a batch has an end', () => {
  const deltas = Array.from({ length: MAX_BATCH * 2 + 1 }, (_, index) => change('Added', `key-${index}`));
  assert.deepEqual(
    drain(fifoOf(...deltas)).map((batch) => batch.length),
    [MAX_BATCH, MAX_BATCH, 1],
  );
});

// ---- for any sequence

/** The same rules, without any care for cost. */
class Model {
  deltas: TestDelta[] = [];

  add(delta: TestDelta): void {
    if (delta.type === 'Sync' && this.deltas.some(({ type }) => type === 'Sync')) return;
    if (delta.type === 'Deleted' && this.newestOf(delta.key)?.type === 'Deleted') return;
    if (delta.type === 'Replaced') this.deltas = this.deltas.filter(({ type }) => type === 'Sync');
    if (delta.type === 'Replaced') this.deltas.unshift(delta);
    else this.deltas.push(delta);
  }

  newestOf(key: string): TestDelta | undefined {
    return this.deltas.findLast((delta) => 'key' in delta && delta.key === key);
  }

  take(count: number): TestDelta[] {
    return this.deltas.splice(0, count);
  }
}

type Command = 'pop' | 'Added' | 'Updated' | 'Deleted' | 'Replaced' | 'Sync' | 'Bookmark';

const command = fc.tuple(
  fc.constantFrom<Command>(
    'pop',
    'Added',
    'Updated',
    'Updated',
    'Deleted',
    'Deleted',
    'Replaced',
    'Sync',
    'Bookmark',
  ),
  fc.constantFrom('a', 'b', 'c'),
);

test('in any sequence it does what the model does', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const fifo = new DeltaFifo<TestObject>();
      const model = new Model();
      const check = (): void => {
        const batch = fifo.popBatch();
        assert.deepEqual(batch, model.take(batch.length));
        if (batch.length === 0) assert.equal(model.deltas.length, 0);
        const wholes = batch.filter(({ type }) => type === 'Replaced');
        assert.ok(wholes.length === 0 || batch.length === 1, 'a Replaced with others in its batch');
      };
      for (const [what, key] of commands) {
        if (what === 'pop') check();
        else {
          const delta =
            what === 'Replaced'
              ? replaced(key)
              : what === 'Sync'
                ? SYNC
                : what === 'Bookmark'
                  ? bookmark()
                  : change(what, key);
          fifo.add(delta);
          model.add(delta);
        }
        assert.equal(fifo.length, model.deltas.length);
      }
      while (fifo.length > 0) check();
    }),
    { numRuns: 300 },
  );
});
