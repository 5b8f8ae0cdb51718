// Durations as Kubernetes writes them, which is as Go does: `1h30m`, `300ms`, `-1.5h`.

import { InvalidDurationError } from '../errors.ts';
import { bigIntegerOf } from '../text/big-integer.ts';

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const MAX_LENGTH = 64 * 1024;
/** The magnitude of the most negative duration; the most positive one is one less. */
const LIMIT = 1n << 63n;

/** Milliseconds, with a fraction when the text is finer than that. */
export function parseDuration(text: string): number {
  return Number(parseDurationNanos(text)) / 1e6;
}

/** Nanoseconds: exact to the last one, within about 292 years. Throws with Go's words. */
export function parseDurationNanos(text: string): bigint {
  const fail = (problem: string): never => {
    throw new InvalidDurationError(`time: ${problem} ${quote(text)}`);
  };
  const negative = text.startsWith('-');
  const start = negative || text.startsWith('+') ? 1 : 0;
  // No duration has so many parts, and a million of them take half a second to add.
  if (text.length === start || text.length > MAX_LENGTH) fail('invalid duration');
  if (text.length === start + 1 && text.endsWith('0')) return 0n;
  let total = 0n;
  const parts = /([0-9]*)(?:\.([0-9]*))?([^.0-9]*)/y;
  parts.lastIndex = start;
  while (parts.lastIndex < text.length) {
    const [, whole = '', fraction = '', unitText = ''] = parts.exec(text) ?? [];
    const amount = bigIntegerOf(whole);
    if ((whole === '' && fraction === '') || amount > LIMIT) fail('invalid duration');
    const unit = UNITS.get(unitText);
    if (unitText === '') fail('missing unit in duration');
    if (unit === undefined) return fail(`unknown unit ${quote(unitText)} in duration`);
    if (amount > LIMIT / unit) fail('invalid duration');
    const value = amount * unit + fractionOf(fraction, unit);
    if (value > LIMIT) fail('invalid duration');
    total += value;
    if (total > LIMIT) fail('invalid duration');
  }
  if (!negative && total === LIMIT) fail('invalid duration');
  return negative ? -total : total;
}

/** In floating point, as Go computes it: `.1h` and the like must come out the same to the nanosecond. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (value > (LIMIT - 1n) / 10n || next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** The milliseconds as Go's text; what is finer than a nanosecond is rounded. */
export function formatDuration(ms: number): string {
  return formatDurationNanos(BigInt(Math.round(ms * 1e6)));
}

/** `1h30m0s`, `1.5s`, `300ms`, `0s`: the unit below a second is the largest that leaves a whole part. */
export function formatDurationNanos(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${withFraction(size, 3)}\u00b5s`;
  if (size < 1_000_000_000n) return `${sign}${withFraction(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${withFraction(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return `${sign}${hours === 0n ? '' : `${hours}h`}${minutes % 60n}m${seconds}`;
}

function withFraction(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return digits.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`);
}

/** As Go's time package quotes in its errors: what is not ASCII, byte by byte. */
function quote(text: string): string {
  const escaped = text.replace(/["\\]|[^ -\x7f]/gu, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return `"${escaped}"`;
}
