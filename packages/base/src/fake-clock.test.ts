import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sleep } from './abort.ts';
import { FakeClock } from './fake-clock.ts';

test('time stands still until it is moved', async () => {
  const clock = new FakeClock({ start: 5000 });
  assert.deepEqual([clock.now(), clock.monotonic()], [5000, 0]);
  await clock.advance(1500);
  assert.deepEqual([clock.now(), clock.monotonic()], [6500, 1500]);
  clock.advanceSync(0.5);
  assert.deepEqual([clock.now(), clock.monotonic()], [6500.5, 1500.5]);
  assert.equal(new Date(new FakeClock().now()).toISOString(), '2026-01-01T00:00:00.000Z');
});

test('the wall clock can be set; the monotonic one does not notice, nor do timers', async () => {
  const clock = new FakeClock({ start: 0 });
  let fired = false;
  clock.setTimeout(() => {
    fired = true;
  }, 100);
  clock.skew(-1_000_000);
  assert.deepEqual([clock.now(), clock.monotonic(), clock.nextTimerIn], [-1_000_000, 0, 100]);
  await clock.advance(99);
  assert.equal(fired, false);
  await clock.advance(1);
  assert.equal(fired, true);
});

const MOVES: Record<string, (clock: FakeClock, ms: number) => Promise<void> | void> = {
  advance: (clock, ms) => clock.advance(ms),
  advanceSync: (clock, ms) => clock.advanceSync(ms),
  runUntilIdle: (clock) => clock.runUntilIdle(),
};

for (const [name, move] of Object.entries(MOVES)) {
  test(`${name}: timers fire at their times, in their order, and equal ones as they were set`, async () => {
    const delay = fc.oneof(fc.integer({ min: -2, max: 30 }), fc.double({ min: 0, max: 30, noNaN: true }));
    // A timer may set others when it fires, and may cancel one that was set at the start.
    const timer = fc.record({
      delay,
      then: fc.array(delay, { maxLength: 3 }),
      cancels: fc.option(fc.nat(20)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(timer, { maxLength: 20 }), async (timers) => {
        const clock = new FakeClock();
        const fired: { at: number; order: number }[] = [];
        let order = 0;
        let expected = 0;
        const set = (ms: number, onFire?: () => void): { cancel(): void; readonly done: () => boolean } => {
          const record = { at: clock.monotonic() + Math.max(0, ms), order: order++ };
          let over = false;
          expected++;
          const handle = clock.setTimeout(() => {
            assert.equal(clock.monotonic(), record.at);
            over = true;
            fired.push(record);
            onFire?.();
          }, ms);
          return {
            done: () => over,
            cancel: () => {
              if (over) return;
              over = true;
              expected--;
              handle.cancel();
            },
          };
        };
        const handles = timers.map(({ delay: ms, then, cancels }) =>
          set(ms, () => {
            for (const next of then) set(next);
            if (cancels !== null) handles[cancels]?.cancel();
          }),
        );
        await move(clock, 100);
        assert.equal(fired.length, expected);
        assert.equal(clock.pendingTimers, 0);
        assert.deepEqual(
          fired,
          fired.toSorted((a, b) => a.at - b.at || a.order - b.order),
        );
      }),
    );
  });
}

test('what a timer woke has run, and set its timers, before the next timer fires', async () => {
  const clock = new FakeClock();
  const log: string[] = [];
  const worker = async (): Promise<void> => {
    await sleep(clock, 10);
    for (let hop = 0; hop < 50; hop++) await Promise.resolve();
    log.push(`woke at ${clock.monotonic()}`);
    await sleep(clock, 5);
    log.push(`again at ${clock.monotonic()}`);
  };
  const done = worker();
  clock.setTimeout(() => log.push('other at 12'), 12);
  clock.setTimeout(() => log.push('other at 20'), 20);
  await clock.advance(100);
  await done;
  assert.deepEqual(log, ['woke at 10', 'other at 12', 'again at 15', 'other at 20']);
  assert.equal(clock.monotonic(), 100);
});

test('what was started just before an advance has set its timers when time moves', async () => {
  const clock = new FakeClock();
  const late = (async () => {
    await Promise.resolve();
    await sleep(clock, 10);
    return clock.monotonic();
  })();
  await clock.advance(10);
  assert.equal(await late, 10);
});

test('an own settle is used between timers', async () => {
  let settled = 0;
  const clock = new FakeClock({ settle: async () => void settled++ });
  clock.setTimeout(() => {}, 1);
  clock.setTimeout(() => {}, 2);
  await clock.advance(2);
  assert.equal(settled, 3);
  await clock.settle();
  assert.equal(settled, 4);
});

test('run until idle goes as far as the timers do, and leaves those that never fire', async () => {
  const clock = new FakeClock();
  let rounds = 0;
  const again = (): void => {
    if (++rounds < 1000) clock.setTimeout(again, 3_600_000);
  };
  clock.setTimeout(again, 3_600_000);
  clock.setTimeout(() => assert.fail('Infinity has come'), Number.POSITIVE_INFINITY);
  await clock.runUntilIdle();
  assert.equal(rounds, 1000);
  assert.equal(clock.monotonic(), 1000 * 3_600_000);
  assert.equal(clock.pendingTimers, 1);
  assert.equal(clock.nextTimerIn, Number.POSITIVE_INFINITY);
});

test('run until idle gives up on what never ends, and loses no timer by that', async () => {
  const clock = new FakeClock();
  let ticks = 0;
  const tick = (): void => {
    ticks++;
    clock.setTimeout(tick, 10);
  };
  clock.setTimeout(tick, 10);
  await assert.rejects(clock.runUntilIdle(50), { code: 'NEVER_IDLE', kind: 'bug' });
  assert.deepEqual([ticks, clock.pendingTimers, clock.monotonic()], [50, 1, 500]);
  await clock.advance(10);
  assert.equal(ticks, 51);
  const quiet = new FakeClock();
  quiet.setTimeout(() => {}, 1);
  await quiet.runUntilIdle(1);
});

test('a callback that throws fails the move; the clock stands there and goes on from there', async () => {
  for (const move of ['advance', 'advanceSync', 'runUntilIdle'] as const) {
    const clock = new FakeClock();
    const fired: string[] = [];
    clock.setTimeout(() => fired.push('first'), 1);
    clock.setTimeout(() => {
      throw new Error('boom');
    }, 2);
    clock.setTimeout(() => fired.push('third'), 3);
    await assert.rejects(async () => MOVES[move]?.(clock, 10), /boom/);
    assert.deepEqual([fired, clock.monotonic(), clock.pendingTimers], [['first'], 2, 1]);
    await clock.advance(1);
    assert.deepEqual([fired, clock.monotonic()], [['first', 'third'], 3]);
  }
});

test('time does not go back when moves overlap or nest', async () => {
  const clock = new FakeClock();
  await Promise.all([clock.advance(100), clock.advance(10)]);
  assert.equal(clock.monotonic(), 100);
  clock.setTimeout(() => clock.advanceSync(500), 1);
  clock.setTimeout(() => assert.equal(clock.monotonic(), 102), 2);
  await clock.advance(2);
  assert.equal(clock.monotonic(), 601);
});

test('only forward, and by a number', async () => {
  const clock = new FakeClock();
  for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    await assert.rejects(clock.advance(ms), { code: 'INVALID_ARGUMENT' });
    assert.throws(() => clock.advanceSync(ms), { code: 'INVALID_ARGUMENT' });
  }
  assert.equal(clock.monotonic(), 0);
});

test('what falls due while time is frozen fires afterwards, at the later time', async () => {
  const clock = new FakeClock();
  const fired: string[] = [];
  clock.setTimeout(() => fired.push(`a at ${clock.monotonic()}`), 100);
  clock.setTimeout(() => fired.push(`b at ${clock.monotonic()}`), 5000);
  clock.freeze(1000);
  assert.equal(clock.monotonic(), 1000);
  assert.deepEqual(fired, []);
  await clock.advance(0);
  assert.deepEqual(fired, ['a at 1000']);
  await clock.advance(4000);
  assert.deepEqual(fired, ['a at 1000', 'b at 5000']);
  assert.throws(() => clock.freeze(-1), { message: /^ms must be/ });
});
