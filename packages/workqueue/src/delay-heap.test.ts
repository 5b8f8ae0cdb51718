import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DelayHeap } from './delay-heap.ts';
import { NONE } from './slots.ts';

const time = fc.integer({ min: 0, max: 50 });
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ op: fc.constant('push' as const), time }) },
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constantFrom('remove' as const, 'move' as const), pick: fc.nat(), time }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('pop' as const, 'removeLast' as const) }) },
);
// Wrong places in the tree show only from three levels on, and shrinking only from 64 slots on.
const firstTimes = fc.array(time, { maxLength: 300, size: 'max' });
const operations = fc.array(operation, { maxLength: 80, size: 'max' });

test('it agrees with a map under any sequence of operations', () => {
  fc.assert(
    fc.property(firstTimes, operations, (times, sequence) => {
      const heap = new DelayHeap();
      const model = new Map<number, number>();
      const free: number[] = [];
      let slots = 0;
      const push = (dueAt: number): void => {
        // Freed slots come back, as in the queue; and some slots are never delayed.
        const slot = free.pop() ?? (slots += 3);
        heap.push(slot, dueAt);
        model.set(slot, dueAt);
      };
      const drop = (slot: number): void => {
        heap.remove(slot);
        model.delete(slot);
        free.push(slot);
      };
      for (const each of times) push(each);
      for (const each of sequence) {
        const victim = 'pick' in each ? [...model.keys()][each.pick % model.size] : undefined;
        if (each.op === 'push') push(each.time);
        else if (each.op === 'pop' && model.size > 0) {
          assert.equal(heap.dueAt(heap.peek()), Math.min(...model.values()));
          drop(heap.peek());
        } else if (each.op === 'removeLast' && model.size > 0) drop(heap.last());
        else if (victim !== undefined && each.op === 'remove') drop(victim);
        else if (victim !== undefined && each.op === 'move') {
          heap.move(victim, each.time);
          model.set(victim, each.time);
        }
        assert.equal(heap.size, model.size);
        if (victim !== undefined) assert.equal(heap.has(victim), model.has(victim));
      }
      for (const [slot, dueAt] of model) assert.equal(heap.dueAt(slot), dueAt);
      const soonestFirst = [...heap];
      assert.equal(new Set(soonestFirst).size, model.size);
      const due = soonestFirst.map((slot) => model.get(slot)!);
      assert.deepEqual(
        due,
        due.toSorted((a, b) => a - b),
      );
      for (const expected of due) {
        assert.equal(heap.dueAt(heap.peek()), expected);
        heap.remove(heap.peek());
      }
      assert.deepEqual([heap.peek(), heap.last(), heap.size], [NONE, NONE, 0]);
    }),
    { numRuns: 300 },
  );
});

test('a slot that was never here is not here', () => {
  const heap = new DelayHeap();
  assert.equal(heap.has(0), false);
  heap.push(5, 1);
  assert.deepEqual([heap.has(5), heap.has(4), heap.has(1000)], [true, false, false]);
});
