import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, type Random, SeededRandom } from '@windlass/base';
import * as fc from 'fast-check';
import { maxOf, withMaxWait } from './combinators.ts';
import { exponential } from './exponential.ts';
import { fastSlow } from './fast-slow.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { tokenBucket } from './token-bucket.ts';

const times = (limiter: RateLimiter<string>, count: number, key = 'a'): number[] =>
  Array.from({ length: count }, () => limiter.when(key));
const chance = (next: number): Random => ({
  next: () => next,
  int: () => 0,
  bytes: (length) => new Uint8Array(length),
  uuid: () => '',
});

test('exponential doubles for each key on its own, up to its maximum', () => {
  const limiter = exponential<string>({ baseMs: 1, maxMs: 100 });
  assert.deepEqual(times(limiter, 9), [1, 2, 4, 8, 16, 32, 64, 100, 100]);
  assert.equal(limiter.when('b'), 1);
  assert.deepEqual([limiter.retries('a'), limiter.retries('b'), limiter.retries('c')], [9, 1, 0]);
  limiter.forget('a');
  assert.equal(limiter.retries('a'), 0);
  assert.equal(limiter.when('a'), 1);
});

test('exponential never leaves its bounds, however many failures there are', () => {
  for (const [baseMs, last] of [
    [5, 1_000_000],
    [0, 0],
    [1_000_000, 1_000_000],
  ] as const) {
    const delays = times(exponential({ baseMs }), 3000);
    assert.equal(delays.at(-1), last);
    assert.ok(delays.every((delay, index) => delay >= (delays[index - 1] ?? baseMs)));
  }
});

test('jitter adds up to its share, at the maximum too, and never reaches it', () => {
  const most = exponential<string>({ baseMs: 10, maxMs: 40, jitter: 0.5, random: chance(1 - 2 ** -32) });
  const delays = times(most, 4);
  for (const [index, least] of [10, 20, 40, 40].entries()) {
    assert.ok(delays[index]! > least * 1.49 && delays[index]! < least * 1.5, String(delays[index]));
  }
  const random = new SeededRandom(1);
  const spread = exponential<string>({ baseMs: 10, maxMs: 40, jitter: 0.5, random });
  assert.equal(new Set(times(spread, 50)).size, 50, 'keys at the maximum do not come back together');
});

test('fastSlow is fast for its first tries', () => {
  const limiter = fastSlow<string>({ fastMs: 5, slowMs: 500, fastTries: 3 });
  assert.deepEqual(times(limiter, 5), [5, 5, 5, 500, 500]);
  assert.equal(limiter.when('b'), 5);
  assert.equal(limiter.retries('a'), 5);
  limiter.forget('a');
  assert.deepEqual([limiter.retries('a'), limiter.when('a')], [0, 5]);
});

test('the bucket lets a burst through, then one a period, and fills again', () => {
  const clock = new FakeClock();
  const limiter = tokenBucket<string>({ clock, perSecond: 10, burst: 3 });
  assert.deepEqual(times(limiter, 5), [0, 0, 0, 100, 200]);
  clock.advanceSync(250);
  assert.equal(limiter.when('b'), 50, 'one bucket for all keys');
  clock.advanceSync(3_600_000);
  assert.deepEqual(times(limiter, 4), [0, 0, 0, 100], 'but never above its burst');
  limiter.forget('a');
  assert.equal(limiter.retries('a'), 0);
});

test('no window of time lets more through than burst and rate allow', () => {
  const gaps = fc.array(fc.nat(300), { minLength: 2, maxLength: 60 });
  fc.assert(
    fc.property(gaps, (gapsMs) => {
      const clock = new FakeClock();
      const limiter = tokenBucket<string>({ clock, perSecond: 10, burst: 3 });
      const passed = gapsMs.map((gap) => {
        clock.advanceSync(gap);
        return clock.monotonic() + limiter.when('a');
      });
      for (const [from, start] of passed.entries()) {
        for (const [index, end] of passed.slice(from).entries())
          assert.ok(index + 1 <= 3 + ((end - start) / 1000) * 10 + 1e-6);
      }
    }),
  );
});

test('maxOf takes the longest, and asks and forgets all', () => {
  const slow = fastSlow<string>({ fastMs: 3, slowMs: 30, fastTries: 2 });
  const limiter = maxOf(exponential<string>({ baseMs: 1, maxMs: 100 }), slow);
  assert.deepEqual(times(limiter, 7), [3, 3, 30, 30, 30, 32, 64]);
  assert.equal(limiter.retries('a'), 7);
  assert.equal(slow.retries('a'), 7);
  limiter.forget('a');
  assert.equal(slow.retries('a'), 0);
  assert.equal(limiter.when('a'), 3);
});

test('withMaxWait cuts the delay and nothing else', () => {
  const inner = exponential<string>({ baseMs: 1 });
  const limiter = withMaxWait(inner, 5);
  assert.deepEqual(times(limiter, 5), [1, 2, 4, 5, 5]);
  assert.equal(limiter.retries('a'), 5);
  limiter.forget('a');
  assert.equal(inner.retries('a'), 0);
});

test('ten thousand retries at once wait no longer than the cap around the bucket', () => {
  const limiter = withMaxWait(tokenBucket<string>({ clock: new FakeClock() }), 60_000);
  const delays = times(limiter, 10_000);
  assert.equal(delays.filter((delay) => delay === 0).length, 100);
  assert.equal(Math.max(...delays), 60_000);
});

test('options that make no sense are refused by name', () => {
  const clock = new FakeClock();
  const bad: readonly (readonly [() => unknown, RegExp])[] = [
    [
      () => exponential({ baseMs: -1 }),
      /^baseMs must be a finite number of at least 0, but it is -1 \(number\)$/,
    ],
    [() => exponential({ baseMs: Number.NaN }), /^baseMs /],
    [() => exponential({ baseMs: 10, maxMs: 9 }), /^maxMs must be a finite number of at least baseMs \(10\)/],
    [() => exponential({ maxMs: Number.POSITIVE_INFINITY }), /^maxMs /],
    [() => exponential({ jitter: -0.5 }), /^jitter /],
    [() => exponential({ jitter: 1 }), /^random must be given when jitter is above 0, but it is undefined$/],
    [() => fastSlow({ fastMs: -1, slowMs: 1, fastTries: 1 }), /^fastMs /],
    [() => fastSlow({ fastMs: 1, slowMs: Number.NaN, fastTries: 1 }), /^slowMs /],
    [() => fastSlow({ fastMs: 1, slowMs: 1, fastTries: Number.POSITIVE_INFINITY }), /^fastTries /],
    [() => tokenBucket({ clock, perSecond: 0 }), /^perSecond must be a finite number above 0/],
    [() => tokenBucket({ clock, burst: 0 }), /^burst must be a finite number of at least 1/],
    [() => maxOf(), /^limiters must be at least one, but it is an array of 0$/],
    [() => withMaxWait(exponential(), -1), /^maxMs /],
    [() => withMaxWait(exponential(), Number.NaN), /^maxMs /],
  ];
  for (const [create, message] of bad) assert.throws(create, { code: 'INVALID_ARGUMENT', message });
});
