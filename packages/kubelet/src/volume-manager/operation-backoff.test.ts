import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@windlass/base';
import { OperationBackoff } from './operation-backoff.ts';

it('waits twice as long after each failure, up to about two minutes, for each key', async () => {
  const clock = new FakeClock();
  const backoff = new OperationBackoff(clock);
  const waits: number[] = [];
  for (let count = 0; count < 10; count++) {
    backoff.failed('a');
    waits.push(backoff.waitMs('a'));
    await clock.advance(backoff.waitMs('a'));
    assert.equal(backoff.waitMs('a'), 0);
  }
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 122_000, 122_000]);
  assert.equal(backoff.waitMs('b'), 0);
  backoff.succeeded('a');
  backoff.failed('a');
  assert.equal(backoff.waitMs('a'), 500);
});
