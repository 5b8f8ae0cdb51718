import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { NONE } from './slots.ts';
import { TurnRing } from './turn-ring.ts';

test('it agrees with an array under any sequence of operations', () => {
  // Bursts, because the ring grows and shrinks only when it holds more than its first places.
  const burst = fc.record({
    op: fc.constantFrom('push', 'push', 'shift', 'filter', 'clear'),
    count: fc.integer({ min: 1, max: 200 }),
  });
  fc.assert(
    fc.property(fc.array(burst, { maxLength: 20 }), (bursts) => {
      const ring = new TurnRing();
      let model: (readonly [number, number])[] = [];
      let number = -5;
      for (const { op, count } of bursts) {
        if (op === 'filter') {
          ring.filter((slot) => slot % count !== 0);
          model = model.filter(([slot]) => slot % count !== 0);
        } else if (op === 'clear' && count > 150) {
          ring.clear();
          model = [];
        }
        for (let index = 0; index < count; index++) {
          if (op === 'push') {
            ring.push(index, number);
            model.push([index, number++]);
          } else if (op === 'shift' && model.length > 0) {
            assert.deepEqual([ring.peekSlot(), ring.peekNumber()], model.shift());
            ring.shift();
          }
        }
        assert.equal(ring.length, model.length);
        assert.deepEqual([...ring.entries()], model);
        assert.equal(ring.peekSlot(), model[0]?.[0] ?? NONE);
      }
    }),
    { numRuns: 300 },
  );
});
