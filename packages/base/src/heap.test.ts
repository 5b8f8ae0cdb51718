import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Heap, type HeapItem } from './heap.ts';
import { survivors } from './testing/survivors.ts';

interface Item extends HeapItem {
  readonly id: number;
  rank: number;
}

const before = (a: Item, b: Item): boolean => (a.rank === b.rank ? a.id < b.id : a.rank < b.rank);
const sorted = (items: Iterable<Item>): Item[] => [...items].sort((a, b) => (before(a, b) ? -1 : 1));
let nextId = 0;
const item = (rank: number): Item => ({ id: nextId++, rank, heapIndex: -1 });

type Command =
  | { readonly op: 'push'; readonly rank: number }
  | { readonly op: 'pop' }
  | { readonly op: 'remove' | 'update'; readonly pick: number; readonly rank: number }
  | { readonly op: 'clear' };

const rank = fc.integer({ min: -20, max: 20 });
const pick = fc.nat();
const commands = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.record({ op: fc.constant('push' as const), rank }) },
    { weight: 10, arbitrary: fc.record({ op: fc.constant('pop' as const) }) },
    {
      weight: 30,
      arbitrary: fc.record({ op: fc.constantFrom('remove' as const, 'update' as const), pick, rank }),
    },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('clear' as const) }) },
  ),
  { maxLength: 60 },
);
// Wrong places in the tree show only from three levels on: 1 + 4 + 16 items.
const firstRanks = fc.array(rank, { minLength: 0, maxLength: 120, size: 'max' });

test('it agrees with a sorted array under any sequence of operations', () => {
  fc.assert(
    fc.property(firstRanks, commands, (ranks, sequence: readonly Command[]) => {
      const heap = new Heap<Item>(before);
      let model: Item[] = ranks.map(item);
      for (const each of model) heap.push(each);
      for (const command of sequence) {
        const victim = 'pick' in command ? model[command.pick % model.length] : undefined;
        if (command.op === 'push') {
          const pushed = item(command.rank);
          heap.push(pushed);
          model.push(pushed);
        } else if (command.op === 'pop') {
          const expected = sorted(model)[0];
          assert.equal(heap.pop(), expected);
          model = model.filter((each) => each !== expected);
        } else if (command.op === 'clear') {
          heap.clear();
          assert.ok(model.every((each) => each.heapIndex === -1));
          model = [];
        } else if (victim !== undefined && command.op === 'update') {
          victim.rank = command.rank;
          heap.update(victim);
        } else if (victim !== undefined) {
          assert.equal(heap.remove(victim), true);
          assert.equal(heap.has(victim), false);
          assert.equal(victim.heapIndex, -1);
          model = model.filter((each) => each !== victim);
        }
        assert.equal(heap.size, model.length);
        assert.equal(heap.peek(), sorted(model)[0]);
        assert.ok(model.every((each) => heap.has(each)));
        assert.deepEqual(sorted(heap), sorted(model));
      }
      const drained = Array.from({ length: model.length }, () => heap.pop());
      assert.deepEqual(drained, sorted(model));
      assert.equal(heap.pop(), undefined);
    }),
    { numRuns: 200 },
  );
});

test('an item is in one heap at a time, and another heap does not know it', () => {
  const [one, other] = [new Heap<Item>(before), new Heap<Item>(before)];
  const stranger = item(0);
  one.push(stranger);
  other.push(item(1));
  assert.throws(() => one.push(stranger), { code: 'ALREADY_IN_HEAP' });
  assert.throws(() => other.push(stranger), { code: 'ALREADY_IN_HEAP' });
  assert.equal(other.has(stranger), false);
  assert.equal(other.remove(stranger), false);
  other.update(stranger);
  assert.equal(other.size, 1);
  assert.equal(one.pop(), stranger);
  other.push(stranger);
  assert.equal(other.peek(), stranger);
});

test('what has been taken out can be collected', async () => {
  const heap = new Heap<Item>(before);
  const kept = item(1000);
  heap.push(kept);
  const ways: Record<string, (each: Item) => void> = {
    pop: () => heap.pop(),
    remove: (each) => heap.remove(each),
  };
  for (const [name, takeOut] of Object.entries(ways)) {
    const alive = await survivors(() => {
      const items = Array.from({ length: 200 }, (_, index) => item(index));
      for (const each of items) heap.push(each);
      for (const each of items) takeOut(each);
      return items;
    });
    assert.equal(alive, 0, `${alive} of 200 items outlived ${name}`);
  }
  assert.equal(heap.size, 1);
  const alive = await survivors(() => {
    const items = Array.from({ length: 50 }, (_, index) => item(index));
    for (const each of items) heap.push(each);
    heap.clear();
    return items;
  });
  assert.equal(alive, 0, `${alive} of 50 items outlived clear`);
});
