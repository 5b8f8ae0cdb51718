import { bigIntegerOf } from './big-integer.ts';

const DIGITS = /^[+-]?[0-9]+$/;
const MAX_INT64 = 2n ** 63n - 1n;

/** The whole number of 64 bits that a text says, as Go's `strconv.ParseInt(text, 10, 64)`. Undefined for any other text. */
export function parseInt64(text: string): bigint | undefined {
  if (!DIGITS.test(text)) return undefined;
  const value = bigIntegerOf(text);
  return value > MAX_INT64 || value < -MAX_INT64 - 1n ? undefined : value;
}

/** The same for 32 bits, which every number holds. */
export function parseInt32(text: string): number | undefined {
  const value = parseInt64(text);
  return value === undefined || BigInt.asIntN(32, value) !== value ? undefined : Number(value);
}
