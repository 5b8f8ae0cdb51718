import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { IDLE, MAX_IDLE, NONE, PROCESSING, QUEUED, Slots } from './slots.ts';

test('a key keeps its slot while it is in use, whatever else comes and goes', () => {
  const burst = fc.record({
    op: fc.constantFrom('pass', 'queue', 'delay', 'release'),
    count: fc.constantFrom(1, 10, MAX_IDLE, 3 * MAX_IDLE),
  });
  fc.assert(
    fc.property(fc.array(burst, { maxLength: 15 }), (bursts) => {
      const slots = new Slots<number>();
      const inUse = new Map<number, number>();
      let next = 0;
      for (const { op, count } of bursts) {
        if (op === 'release') {
          for (const [key, slot] of [...inUse].slice(0, count)) {
            slots.setState(slot, IDLE);
            slots.setDelayed(slot, false);
            inUse.delete(key);
          }
          continue;
        }
        for (let index = 0; index < count; index++) {
          const key = next++;
          const slot = slots.claim(key);
          assert.equal(slots.state(slot), IDLE, 'a new key is idle');
          assert.equal(slots.key(slot), key);
          if (op === 'pass') continue;
          if (op === 'queue') slots.setState(slot, QUEUED);
          else slots.setDelayed(slot, true);
          inUse.set(key, slot);
        }
      }
      for (const [key, slot] of inUse) {
        assert.equal(slots.find(key), slot);
        assert.equal(slots.key(slot), key);
      }
      assert.equal(new Set(inUse.values()).size, inUse.size, 'no slot has two keys');
    }),
    { numRuns: 60 },
  );
});

test('a delayed slot keeps its state, and a state its delay', () => {
  const slots = new Slots<string>();
  const slot = slots.claim('a');
  slots.setDelayed(slot, true);
  slots.setState(slot, PROCESSING);
  slots.setDelayed(slot, false);
  assert.equal(slots.state(slot), PROCESSING);
  slots.setDelayed(slot, true);
  slots.setState(slot, IDLE);
  slots.sweep();
  assert.equal(slots.find('a'), slot, 'it is delayed still');
  slots.setDelayed(slot, false);
  slots.sweep();
  assert.equal(slots.find('a'), NONE);
});

test('no two queueings share a number, though keys and slots change and the arrays shrink', () => {
  const slots = new Slots<number>();
  const seen = new Set<number>();
  for (let key = 0; key < 20_000; key++) {
    const slot = slots.claim(key);
    const turn = slots.nextTurn(slot);
    assert.equal(slots.turn(slot), turn);
    assert.ok(!seen.has(turn));
    seen.add(turn);
  }
});

test('after a burst a sweep goes through the keys that are known, not through all slots there ever were', () => {
  /** Processor time of 300 sweeps, in milliseconds. */
  const sweep = (slots: Slots<number>): number => {
    const started = process.cpuUsage();
    for (let key = 0; key < 300 * MAX_IDLE; key++) slots.claim(1_000_000 + key);
    return process.cpuUsage(started).user / 1000;
  };
  const pinned = (): Slots<number> => {
    const slots = new Slots<number>();
    slots.setState(slots.claim(-1), PROCESSING);
    return slots;
  };
  const burst = pinned();
  for (let key = 0; key < 1_000_000; key++) burst.setState(burst.claim(key), QUEUED);
  for (let key = 0; key < 1_000_000; key++) burst.setState(burst.find(key), IDLE);
  burst.sweep();
  sweep(pinned());
  const fresh = sweep(pinned());
  const afterBurst = sweep(burst);
  // Through all slots it is fifty times as much.
  assert.ok(afterBurst < fresh * 5 + 50, `${afterBurst} ms, and ${fresh} ms without a burst`);
});
