import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatMicros, formatSeconds, parseTimestamp, ZERO_TIME_SECONDS } from '../protobuf/timestamp.ts';
import { timeForm } from './special-forms.ts';
import type { TimePrecision } from './time-problem.ts';

const two = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
const year = fc.oneof(
  fc.constantFrom('0000', '0001', '0999', '1000', '2024', '2025', '9999'),
  fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, '0')),
);
const fraction = fc.constantFrom('', '.1', '.000000', '.123456', '.1234567', ',123456');
const zone = fc.constantFrom('Z', 'z', '', '+00:00', '-01:30');
const text = fc
  .tuple(year, two(13), two(32), two(24), two(60), two(60), fraction, zone)
  .map(
    ([y, month, day, hour, minute, second, f, z]) =>
      `${y}-${month}-${day}T${hour}:${minute}:${second}${f}${z}`,
  );

/** What a time becomes, read and written; undefined when it is refused. */
function rewritten(value: string, precision: TimePrecision): string | null | undefined {
  const time = parseTimestamp(value);
  if (time === undefined) return undefined;
  if (precision === 'micros' && !/[.,]\d{6}(?:Z|[+-])/.test(value)) return undefined;
  if (time.seconds === ZERO_TIME_SECONDS && time.nanos === 0) return null;
  return precision === 'seconds' ? formatSeconds(time.seconds) : formatMicros(time.seconds, time.nanos);
}

for (const precision of ['seconds', 'micros'] as const)
  test(`a time is the same whether it was in its form or not, to ${precision}`, () => {
    const form = timeForm('v1.Time', precision);
    fc.assert(
      fc.property(text, (value) => {
        let shown: unknown;
        try {
          shown = form.apply(value, 'at', 'Thing', { problems: [] });
        } catch {
          shown = undefined;
        }
        assert.equal(shown, rewritten(value, precision));
      }),
      {
        numRuns: 2000,
        examples: [['2024-02-29T00:00:00Z'], ['2025-02-29T00:00:00Z'], ['0001-01-01T00:00:00Z']],
      },
    );
  });
