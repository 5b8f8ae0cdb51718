import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, bytes, coarse, counted, duration, rate } from './format.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GiB = 1024 ** 3;

function table<T>(format: (value: T) => string, rows: readonly (readonly [T, string])[]): void {
  for (const [value, text] of rows)
    test(`${format.name}(${String(value)}) is ${text}`, () => assert.equal(format(value), text));
}

table(duration, [
  [0, '0 ms'],
  [0.04, '0 ms'],
  [0.4, '0.4 ms'],
  [9.94, '9.9 ms'],
  [9.96, '10 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [1234, '1.2 s'],
  [12_340, '12 s'],
  [59_600, '1 min'],
  [125 * SECOND, '2 min 5 s'],
  [HOUR + 2 * MINUTE, '1 h 2 min'],
  [5 * DAY, '5 d'],
]);

table(ago, [
  [0, 'now'],
  [-400, 'now'],
  [3 * SECOND, '3 s ago'],
  [-3 * SECOND, 'in 3 s'],
  [5 * MINUTE, '5 min ago'],
]);

table(coarse, [
  [59_999, '59 s'],
  [MINUTE, '1 min'],
  [DAY - 1, '23 h'],
  [3 * DAY, '3 d'],
]);

table(bytes, [
  [-1, '0 B'],
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [10 * GiB, '10 GiB'],
  [9.84 * GiB, '9.8 GiB'],
  [1023.99 * GiB, '1 TiB'],
  [120.4 * GiB, '120 GiB'],
]);

table(rate, [
  [0, '0'],
  [Number.NaN, '0'],
  [0.04, '0'],
  [0.4, '0.4'],
  [9.96, '10'],
  [999.6, '1.0k'],
  [1234, '1.2k'],
]);

test('one is singular', () => {
  assert.deepEqual(
    [counted(1, 'pod'), counted(0, 'pod'), counted(1200, 'entry', 'entries')],
    ['1 pod', '0 pods', '1,200 entries'],
  );
});
