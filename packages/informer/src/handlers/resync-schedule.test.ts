import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { MIN_RESYNC_MS, ResyncSchedule } from './resync-schedule.ts';

function scheduled() {
  const clock = new FakeClock();
  const due: string[] = [];
  const schedule = new ResyncSchedule<string>(clock, (handlers) =>
    due.push(`${clock.monotonic()}: ${[...handlers].join(' ')}`),
  );
  return { clock, due, schedule };
}

test('each handler has its own period, and those that are due together are told together', async () => {
  const { clock, due, schedule } = scheduled();
  schedule.add('a', 2000);
  schedule.add('b', 3000);
  schedule.add('never', 0);
  schedule.start();
  await clock.advance(6000);
  assert.deepEqual(due, ['2000: a', '3000: b', '4000: a', '6000: a b']);
});

test('nobody is due before the start or after the stop, and no timer is left', async () => {
  const { clock, due, schedule } = scheduled();
  schedule.add('a', 2000);
  assert.equal(clock.pendingTimers, 0);
  schedule.start();
  assert.equal(clock.pendingTimers, 1);
  schedule.stop();
  await clock.advance(10_000);
  assert.deepEqual([due, clock.pendingTimers], [[], 0]);
});

test('who leaves is not due any more; the last one takes the timer along', async () => {
  const { clock, due, schedule } = scheduled();
  schedule.start();
  schedule.add('a', 1000);
  schedule.remove('a');
  assert.equal(clock.pendingTimers, 0);
  await clock.advance(5000);
  assert.deepEqual(due, []);
});

test('nobody is due more often than once a second', async () => {
  const { clock, due, schedule } = scheduled();
  schedule.start();
  schedule.add('a', 1);
  await clock.advance(MIN_RESYNC_MS);
  assert.deepEqual(due, ['1000: a']);
});

test('times that no number holds exactly do not stop the clock', async () => {
  const { clock, due, schedule } = scheduled();
  schedule.start();
  for (let step = 0; step < 50; step++) {
    schedule.add(`handler-${step}`, 1000.1 + step / 3);
    await clock.advance(0.1);
  }
  await clock.advance(3000);
  for (let step = 0; step < 50; step++)
    assert.ok(due.filter((round) => round.split(' ').includes(`handler-${step}`)).length >= 2);
});
