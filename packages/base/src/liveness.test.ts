import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeClock } from './fake-clock.ts';
import { watchLiveness } from './liveness.ts';

/** What the other end does: at which times it sends something, and whether it answers. */
async function outcome(sendsAt: readonly number[], answers: boolean, forMs: number) {
  const clock = new FakeClock();
  let bytes = 0;
  const asked: number[] = [];
  let deadAt: number | undefined;
  for (const at of sendsAt) clock.setTimeout(() => bytes++, at);
  const timer = watchLiveness(
    {
      bytesRead: () => bytes,
      ask: () => {
        asked.push(clock.monotonic());
        if (answers) clock.setTimeout(() => bytes++, 10);
      },
      onDead: () => {
        deadAt = clock.monotonic();
      },
    },
    { clock, idleMs: 30_000, timeoutMs: 15_000 },
  );
  await clock.advance(forMs);
  timer.cancel();
  assert.equal(clock.pendingTimers, 0);
  return { asked, deadAt };
}

const every = (ms: number, untilMs: number): number[] =>
  Array.from({ length: Math.floor(untilMs / ms) }, (_, index) => (index + 1) * ms);

describe('liveness', () => {
  test('a silent connection is dead within 45 s of its last byte, whenever that came', async () => {
    for (const last of [0, 1, 7_000, 14_999, 15_001, 22_000, 29_999, 31_000]) {
      const { deadAt = Number.POSITIVE_INFINITY } = await outcome([last], false, 200_000);
      assert.ok(deadAt - last <= 45_000, `last byte at ${last}, dead at ${deadAt}`);
    }
  });

  test('one that answers lives, and is asked at most every 15 s', async () => {
    const { asked, deadAt } = await outcome([], true, 600_000);
    assert.equal(deadAt, undefined);
    assert.ok(asked.length > 10 && asked.length <= 40, `asked ${asked.length} times`);
  });

  test('one that never answers but sends something lives', async () => {
    const { deadAt } = await outcome(every(14_000, 600_000), false, 600_000);
    assert.equal(deadAt, undefined);
  });

  test('one that is busy is never asked', async () => {
    assert.deepEqual((await outcome(every(1000, 600_000), false, 600_000)).asked, []);
  });

  test('an answer in the last moment counts', async () => {
    const { deadAt } = await outcome([29_999], false, 44_000);
    assert.equal(deadAt, undefined);
  });
});
