import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Backoff, type BackoffOptions, DEFAULT_BACKOFF } from './backoff.ts';
import { FakeClock } from './fake-clock.ts';
import { type Random, SeededRandom } from './random.ts';

const chance = (next: number): Random => ({
  next: () => next,
  int: () => 0,
  bytes: (length) => new Uint8Array(length),
  uuid: () => '',
});
const setUp = (options: Partial<BackoffOptions> = {}): { clock: FakeClock; backoff: Backoff } => {
  const clock = new FakeClock();
  return { clock, backoff: new Backoff({ clock, random: chance(0), ...options }) };
};
/** Fails, waits as told, fails again at once. */
const failures = (clock: FakeClock, backoff: Backoff, count: number): number[] =>
  Array.from({ length: count }, () => {
    const delay = backoff.next();
    clock.advanceSync(delay);
    return delay;
  });

test('it doubles from 800 ms to 30 s, and stays there', () => {
  const { clock, backoff } = setUp();
  const delays = failures(clock, backoff, 8);
  assert.deepEqual(delays, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
});

test('jitter adds up to the whole delay and never reaches it', () => {
  const { clock, backoff } = setUp({ random: chance(1 - 2 ** -32) });
  const [first, ...rest] = failures(clock, backoff, 10);
  assert.ok(first! > 1599 && first! < 1600);
  assert.ok(rest.at(-1)! > 59_999 && rest.at(-1)! < 60_000);
});

test('a caller that keeps failing never starts over, however long it fails', () => {
  const { clock, backoff } = setUp({ random: new SeededRandom(1) });
  const delays = failures(clock, backoff, 1000);
  assert.ok(delays.slice(7).every((delay) => delay >= 30_000));
});

test('a delay longer than the reset period is no healthy stretch', () => {
  const { clock, backoff } = setUp({ initialMs: 1000, maxMs: 600_000, factor: 10, resetAfterMs: 5000 });
  assert.deepEqual(failures(clock, backoff, 5), [1000, 10_000, 100_000, 600_000, 600_000]);
});

test('it starts over when the caller was well for longer than the reset period, and not sooner', () => {
  const { clock, backoff } = setUp();
  failures(clock, backoff, 4);
  clock.advanceSync(120_000);
  assert.equal(backoff.next(), 12_800);
  clock.advanceSync(12_800 + 120_001);
  assert.equal(backoff.next(), 800);
  clock.advanceSync(800);
  assert.equal(backoff.next(), 1600);
});

test('a wall clock that jumps changes nothing', () => {
  const { clock, backoff } = setUp();
  failures(clock, backoff, 2);
  clock.skew(1e9);
  assert.equal(backoff.next(), 3200);
});

test('reset starts over at once', () => {
  const { clock, backoff } = setUp();
  failures(clock, backoff, 5);
  backoff.reset();
  assert.deepEqual(failures(clock, backoff, 2), [800, 1600]);
});

test('every delay is within its bounds, for any options and any seed', () => {
  const options = fc.record({
    initialMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    extra: fc.double({ min: 0, max: 1e9, noNaN: true }),
    factor: fc.double({ min: 1, max: 1e300, noNaN: true }),
    jitter: fc.double({ min: 0, max: 10, noNaN: true }),
    seed: fc.integer(),
  });
  fc.assert(
    fc.property(options, ({ initialMs, extra, factor, jitter, seed }) => {
      const maxMs = initialMs + extra;
      const random = new SeededRandom(seed);
      const { clock, backoff } = setUp({ initialMs, maxMs, factor, jitter, random });
      let base = initialMs;
      for (const delay of failures(clock, backoff, 40)) {
        // As the option says it: `base * (1 + jitter)` is rounded elsewhere, and can be the lower number.
        assert.ok(delay >= base && delay <= base + jitter * base, `${delay} from ${base}`);
        assert.ok(base <= maxMs);
        base = Math.min(base * factor, maxMs);
      }
    }),
  );
});

test('options that make no sense are refused by name', () => {
  const bad: readonly (readonly [Partial<BackoffOptions>, RegExp])[] = [
    [{ initialMs: -1 }, /^initialMs must be a finite number of at least 0, but it is -1 \(number\)$/],
    [{ initialMs: Number.NaN }, /^initialMs must be/],
    [{ maxMs: 799 }, /^maxMs must be a finite number of at least 800, but it is 799 \(number\)$/],
    [{ maxMs: Number.POSITIVE_INFINITY }, /^maxMs must be/],
    [{ factor: 0.5 }, /^factor must be/],
    [{ jitter: -0.1 }, /^jitter must be/],
    [{ resetAfterMs: -1 }, /^resetAfterMs must be/],
  ];
  for (const [options, message] of bad)
    assert.throws(() => setUp(options), { code: 'INVALID_ARGUMENT', message });
  assert.ok(Object.isFrozen(DEFAULT_BACKOFF));
});
