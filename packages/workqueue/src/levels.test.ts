import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Levels } from './levels.ts';
import { NONE, Slots } from './slots.ts';

interface Waiting {
  priority: number;
  readonly since: number;
  order: number;
}

const AGEING_MS = 10;

test('it agrees with a search through all that wait, under any sequence of operations', () => {
  // More priorities than a heap of one level has, and moves enough to leave many stale turns.
  const priority = fc.integer({ min: -8, max: 8 });
  const operation = fc.oneof(
    { weight: 5, arbitrary: fc.record({ op: fc.constant('append' as const), priority, count: fc.nat(5) }) },
    { weight: 5, arbitrary: fc.record({ op: fc.constant('move' as const), priority, pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('toggle' as const), priority, pick: fc.nat() }) },
    { weight: 4, arbitrary: fc.record({ op: fc.constant('next' as const), count: fc.nat(5) }) },
    { weight: 3, arbitrary: fc.record({ op: fc.constant('wait' as const), ms: fc.nat(60) }) },
  );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60, size: 'max' }), (operations) => {
      const slots = new Slots<number>();
      const levels = new Levels(slots, AGEING_MS);
      const model = new Map<number, Waiting>();
      let keys = 0;
      let order = 0;
      let now = 0;
      const move = (slot: number, to: number): void => {
        const waiting = model.get(slot)!;
        if (waiting.priority === to) return;
        levels.move(slot, waiting.priority, to);
        waiting.priority = to;
        waiting.order = order++;
      };
      const next = (): void => {
        const heads = [...model].filter(
          ([, a]) => ![...model.values()].some((b) => b.priority === a.priority && b.order < a.order),
        );
        const [best] = heads.sort(
          ([, a], [, b]) =>
            a.since - a.priority * AGEING_MS - (b.since - b.priority * AGEING_MS) || b.priority - a.priority,
        );
        assert.equal(levels.next(), best?.[0] ?? NONE);
        if (best !== undefined) model.delete(best[0]);
      };
      for (const each of operations) {
        const slot = 'pick' in each ? [...model.keys()][each.pick % model.size] : undefined;
        if (each.op === 'wait') now += each.ms;
        else if (each.op === 'next') for (let index = 0; index < each.count; index++) next();
        else if (each.op === 'append') {
          for (let index = 0; index < each.count; index++) {
            const added = slots.claim(keys++);
            slots.setSince(added, now);
            levels.append(added, each.priority);
            model.set(added, { priority: each.priority, since: now, order: order++ });
          }
        } else if (slot !== undefined && each.op === 'move') move(slot, each.priority);
        else if (slot !== undefined)
          for (let index = 0; index < 200; index++) move(slot, each.priority + (index % 2));
        assert.equal(levels.length, model.size);
      }
      const expected = [...model].sort(([, a], [, b]) => b.priority - a.priority || a.order - b.order);
      assert.deepEqual(
        [...levels],
        expected.map(([slot]) => slot),
      );
      while (model.size > 0) next();
      assert.equal(levels.next(), NONE);
    }),
    { numRuns: 300 },
  );
});

test('moves leave a bounded number of stale turns behind', () => {
  /** Counts how many turns are looked at. */
  class CountingSlots extends Slots<number> {
    looks = 0;
    override turn(slot: number): number {
      this.looks++;
      return super.turn(slot);
    }
  }
  const slots = new CountingSlots();
  const levels = new Levels(slots, AGEING_MS);
  for (let key = 0; key < 12; key++) levels.append(slots.claim(key), key % 2);
  // Five others stay in each of the two levels, so that neither is ever empty.
  for (let time = 0; time < 10_000; time++) levels.move(0, time % 2, (time + 1) % 2);
  slots.looks = 0;
  assert.equal([...levels].length, 12);
  assert.ok(slots.looks < 12 + 2 * (64 + 6), `${slots.looks} turns for 12 slots`);
});

test('priorities that are no longer used are forgotten', () => {
  const slots = new Slots<number>();
  const levels = new Levels(slots, AGEING_MS);
  const slot = slots.claim(0);
  levels.append(slot, 0);
  const before = process.memoryUsage().heapUsed;
  for (let priority = 1; priority < 200_000; priority++) levels.move(slot, priority - 1, priority);
  globalThis.gc?.();
  assert.ok(process.memoryUsage().heapUsed - before < 5e6);
  assert.equal(levels.next(), slot);
});
