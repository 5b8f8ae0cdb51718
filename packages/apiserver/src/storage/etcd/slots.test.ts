import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from './slots.ts';

test('never more at once, all in turn, and a failure gives its place back', async () => {
  const slots = new Slots(3);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      slots.run(async () => {
        begun.push(index);
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        if (index % 4 === 0) throw new Error(String(index));
        return index;
      }),
    ),
  );
  assert.equal(most, 3);
  assert.deepEqual(
    begun,
    Array.from({ length: 20 }, (_, index) => index),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 5);
});
