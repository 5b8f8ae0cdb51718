import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatMicros, formatSeconds, parseTimestamp, ZERO_TIME_SECONDS } from './timestamp.ts';

const MIN = -62_167_219_200; // 0000-01-01
const MAX = 253_402_300_799; // 9999-12-31T23:59:59

test('times are those of Date, and come back', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: MIN, max: MAX }),
      fc.integer({ min: 0, max: 999_999 }),
      (seconds, micros) => {
        const text = formatSeconds(seconds);
        assert.equal(text, new Date(seconds * 1000).toISOString().replace('.000Z', 'Z'));
        assert.deepEqual(parseTimestamp(text), { seconds, nanos: 0 });
        assert.deepEqual(parseTimestamp(formatMicros(seconds, micros * 1000)), {
          seconds,
          nanos: micros * 1000,
        });
      },
    ),
    { numRuns: 1000 },
  );
});

test('known times', () => {
  const rows: [number, string][] = [
    [0, '1970-01-01T00:00:00Z'],
    [-1, '1969-12-31T23:59:59Z'],
    [951_782_400, '2000-02-29T00:00:00Z'],
    [ZERO_TIME_SECONDS, '0001-01-01T00:00:00Z'],
    [MAX + 1, '10000-01-01T00:00:00Z'],
    [MIN - 1, '-0001-12-31T23:59:59Z'],
  ];
  for (const [seconds, text] of rows) assert.equal(formatSeconds(seconds), text);
  assert.equal(formatMicros(1, 1_999), '1970-01-01T00:00:01.000001Z');
});

test('offsets and fractions are read, and what is no time is not', () => {
  assert.deepEqual(parseTimestamp('2024-02-29T12:00:00+02:30'), { seconds: 1_709_199_000, nanos: 0 });
  assert.deepEqual(parseTimestamp('2024-02-29T12:00:00.1234567891-00:30'), {
    seconds: 1_709_209_800,
    nanos: 123_456_789,
  });
  const wrong = ['', 'now', '2023-02-29T00:00:00Z', '2024-13-01T00:00:00Z', '2024-01-01T24:00:00Z'];
  for (const text of [...wrong, '2024-01-01 00:00:00Z', '2024-01-01T00:00:00', '2024-04-31T00:00:00Z'])
    assert.equal(parseTimestamp(text), undefined, text);
});
