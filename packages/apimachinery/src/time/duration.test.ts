import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { type Golden, golden } from '../golden-testing.ts';
import { formatDuration, formatDurationNanos, parseDuration, parseDurationNanos } from './duration.ts';

interface Row {
  readonly text: string;
  readonly error?: string;
  readonly nanos?: string;
  readonly string?: string;
}

test('texts are read and written as Go does, and refused with its words', () => {
  const { rows } = golden('durations') as Golden<Row>;
  assert.ok(rows.length > 100);
  for (const { text, error, nanos, string } of rows) {
    if (error !== undefined) {
      assert.throws(() => parseDurationNanos(text), { message: error, code: 'INVALID_DURATION' }, text);
      continue;
    }
    assert.equal(String(parseDurationNanos(text)), nanos, text);
    assert.equal(formatDurationNanos(BigInt(nanos ?? 0)), string, text);
  }
});

test('every duration of 64 bits survives', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanos) => {
      // Below a second Go computes fractions in floating point, and so do we; above it is exact.
      assert.equal(parseDurationNanos(formatDurationNanos(nanos)), nanos);
    }),
  );
});

describe('in milliseconds', () => {
  const rows: readonly (readonly [string, number])[] = [
    ['1h30m0s', 5_400_000],
    ['5m0s', 300_000],
    ['1.5s', 1500],
    ['300ms', 300],
    ['1.5ms', 1.5],
    ['1\u00b5s', 0.001],
    ['-1m0s', -60_000],
    ['0s', 0],
  ];
  for (const [text, ms] of rows)
    test(text, () => {
      assert.equal(parseDuration(text), ms);
      assert.equal(formatDuration(ms), text);
    });
});
