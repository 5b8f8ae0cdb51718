import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { type Golden, golden } from '../golden-testing.ts';
import { formatMicroTime, formatTime, parseMicroTime, parseTime } from './time.ts';

test('texts are read and written as Kubernetes does', () => {
  const { rows } = golden('times') as Golden<{
    readonly text: string;
    readonly time?: string;
    readonly micro?: string;
  }>;
  assert.ok(rows.length > 100);
  for (const { text, time, micro } of rows) {
    if (time === undefined) assert.throws(() => parseTime(text), { code: 'INVALID_TIME' }, text);
    else assert.equal(formatTime(parseTime(text)), time, text);
    if (micro === undefined) assert.throws(() => parseMicroTime(text), { code: 'INVALID_TIME' }, text);
    else assert.equal(formatMicroTime(parseMicroTime(text)), micro, text);
  }
});

test('seconds are cut, never rounded, also before 1970', () => {
  assert.equal(formatTime(1_704_067_199_999), '2023-12-31T23:59:59Z');
  assert.equal(formatTime(-1), '1969-12-31T23:59:59Z');
  assert.equal(formatTime(0), '1970-01-01T00:00:00Z');
});

test('microseconds survive', () => {
  // From 1691 to 2248.
  const limit = 2 ** 43 - 2000;
  const micros = fc.integer({ min: -limit, max: limit }).map((ms) => ms * 1000);
  fc.assert(
    fc.property(micros, fc.integer({ min: 0, max: 999 }), (base, rest) => {
      const ms = (base + rest) / 1000;
      const text = formatMicroTime(ms);
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      assert.equal(text.slice(23, 26), String(rest).padStart(3, '0'));
      assert.equal(formatMicroTime(parseMicroTime(text)), text);
    }),
  );
});

describe('times that no text has', () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 253_402_300_800_000, -62_167_219_200_001])
    test(String(ms), () => {
      assert.throws(() => formatTime(ms), { code: 'INVALID_TIME' });
      assert.throws(() => formatMicroTime(ms), { code: 'INVALID_TIME' });
    });

  test('the first and the last', () => {
    assert.equal(formatTime(253_402_300_799_999), '9999-12-31T23:59:59Z');
    assert.equal(formatTime(-62_167_219_200_000), '0000-01-01T00:00:00Z');
  });
});

test('the message shows the text and what one looks like', () => {
  assert.throws(() => parseTime('yesterday'), {
    message: '"yesterday" is no RFC 3339 time such as "2006-01-02T15:04:05Z"',
  });
});
