import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { type SilenceLimit, SilenceTimer } from './silence-timer.ts';

/** Somebody who listens, and the time at which they last heard something. */
class Listener implements SilenceLimit {
  readonly what: string;
  readonly clock: FakeClock;
  readonly ms: number;
  heardAt = 0;

  constructor(clock: FakeClock, what: string, ms: number) {
    this.clock = clock;
    this.what = what;
    this.ms = ms;
  }

  silentMs(): number {
    return this.clock.monotonic() - this.heardAt;
  }
}

function setUp() {
  const clock = new FakeClock();
  const said: string[] = [];
  const timer = new SilenceTimer((error) => said.push(`${error.code} ${error.message}`));
  return { clock, said, timer };
}

const idle = (what: string, ms: number): string =>
  `WATCH_IDLE ${what}: nothing came for ${ms} ms; the connection is taken for dead`;

test('the limit that is reached first counts, with one timer for all', async () => {
  const { clock, said, timer } = setUp();
  const bytes = new Listener(clock, 'bytes', 180);
  const events = new Listener(clock, 'events', 150);
  timer.add(bytes);
  timer.add(events);
  assert.equal(clock.pendingTimers, 1);
  await clock.advance(100);
  events.heardAt = clock.monotonic();
  await clock.advance(79);
  assert.deepEqual(said, []);
  await clock.advance(1);
  assert.deepEqual(said, [idle('bytes', 180)]);
  assert.equal(clock.pendingTimers, 0, 'it is said once');
});

test('a limit of zero is none, and one that was removed no longer counts', async () => {
  const { clock, said, timer } = setUp();
  timer.add(new Listener(clock, 'never', 0));
  assert.equal(clock.pendingTimers, 0);
  const limit = new Listener(clock, 'events', 10);
  timer.add(limit);
  timer.remove(limit);
  await clock.advance(100);
  assert.deepEqual([said, clock.pendingTimers], [[], 0]);
});

test('the limits of another timer are taken over, and only one of the two is left', async () => {
  const { clock, said, timer } = setUp();
  const other = new SilenceTimer(() => said.push('the other'));
  other.add(new Listener(clock, 'bytes', 50));
  timer.add(new Listener(clock, 'events', 80));
  timer.adopt(other);
  assert.equal(clock.pendingTimers, 1);
  await clock.advance(50);
  assert.deepEqual(said, [idle('bytes', 50)]);
});

test('a silence that began before the limit was set counts from its beginning', async () => {
  const { clock, said, timer } = setUp();
  await clock.advance(70);
  timer.add(new Listener(clock, 'bytes', 100));
  await clock.advance(29);
  assert.deepEqual(said, []);
  await clock.advance(1);
  assert.deepEqual(said, [idle('bytes', 100)]);
});

test('a limit that is a millisecond from its end is not reached when another one is looked at', async () => {
  const { clock, said, timer } = setUp();
  const alive = new Listener(clock, 'alive', 100);
  timer.add(alive);
  timer.add(new Listener(clock, 'almost', 101));
  await clock.advance(50);
  alive.heardAt = 50;
  await clock.advance(50);
  assert.deepEqual(said, []);
  await clock.advance(1);
  assert.deepEqual(said, [idle('almost', 101)]);
});

test('what was said is over: a limit that comes after it counts by itself', async () => {
  const { clock, said, timer } = setUp();
  timer.add(new Listener(clock, 'first', 100));
  await clock.advance(100);
  const second = new Listener(clock, 'second', 100);
  second.heardAt = 100;
  timer.add(second);
  await clock.advance(99);
  assert.equal(said.length, 1);
  await clock.advance(1);
  assert.deepEqual(said, [idle('first', 100), idle('second', 100)]);
});
