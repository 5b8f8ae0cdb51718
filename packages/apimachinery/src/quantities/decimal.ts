// Exact decimal numbers, small ones without allocation of a bigint. What resource quantities are made of.

import { InvalidQuantityError } from '../errors.ts';

/**
 * `unscaled * 10 ** scale`. The unscaled part is a number when that is exact, and a bigint beyond: then,
 * and only then, is its magnitude above Number.MAX_SAFE_INTEGER. One value has many forms (1e3, 10e2).
 */
export interface Decimal {
  readonly unscaled: number | bigint;
  readonly scale: number;
}

/** Powers of ten that numbers hold exactly, and that a safe integer may be multiplied by. */
const POWERS: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * A sum of more digits than this is not made, unless one of the two had as many: a text of ten characters
 * must not cost a gigabyte.
 */
export const MAX_DIGITS = 10_000;

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** The largest number that 64 bits with a sign hold too. Kubernetes counts resources in those. */
export const MAX_INT64_NUMBER: number = 2 ** 63 - 1024;
/** Whatever has more digits than this is larger than 64 bits. */
const INT64_DIGITS = 19;
const SAFE_BITS = 53;

export const DECIMAL_ZERO: Decimal = Object.freeze({ unscaled: 0, scale: 0 });

/** Brings the unscaled part into the form that the invariant asks for. */
export function decimal(unscaled: number | bigint, scale: number): Decimal {
  if (typeof unscaled === 'bigint' && unscaled <= MAX_SAFE && unscaled >= -MAX_SAFE)
    return { unscaled: Number(unscaled), scale };
  return { unscaled, scale };
}

export function signOf({ unscaled }: Decimal): -1 | 0 | 1 {
  return unscaled > 0 ? 1 : unscaled < 0 ? -1 : 0;
}

export function negate({ unscaled, scale }: Decimal): Decimal {
  return { unscaled: typeof unscaled === 'bigint' ? -unscaled : 0 - unscaled, scale };
}

function digitsOf(unscaled: number | bigint): number {
  const text = String(unscaled);
  return unscaled < 0 ? text.length - 1 : text.length;
}

/** The power of ten that is just above the value. */
function placeOf({ unscaled, scale }: Decimal): number {
  return digitsOf(unscaled) + scale;
}

/** `unscaled * 10 ** by`, exactly. */
function shifted(unscaled: number | bigint, by: number): number | bigint {
  if (by === 0 || unscaled === 0) return unscaled;
  const power = POWERS[by];
  if (typeof unscaled === 'number' && power !== undefined) {
    const product = unscaled * power;
    if (Number.isSafeInteger(product)) return product;
  }
  return BigInt(unscaled) * 10n ** BigInt(by);
}

/**
 * The sum, exact unless it had more than 10,000 digits, and more than either of the two: then it is the
 * larger one, and nobody can see the difference.
 */
export function add(a: Decimal, b: Decimal): Decimal {
  if (a.unscaled === 0) return b;
  if (b.unscaled === 0) return a;
  const scale = Math.min(a.scale, b.scale);
  const apart = Math.max(a.scale, b.scale) - scale;
  if (apart > MAX_DIGITS) {
    const [place, other] = [placeOf(a), placeOf(b)];
    const digits = Math.max(place, other) - scale;
    if (digits > Math.max(MAX_DIGITS, place - a.scale, other - b.scale)) return place < other ? b : a;
  }
  const left = shifted(a.unscaled, a.scale - scale);
  const right = shifted(b.unscaled, b.scale - scale);
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return { unscaled: sum, scale };
  }
  return decimal(BigInt(left) + BigInt(right), scale);
}

export function multiply({ unscaled, scale }: Decimal, factor: number | bigint): Decimal {
  if (typeof unscaled === 'number' && typeof factor === 'number') {
    const product = unscaled * factor;
    if (Number.isSafeInteger(product)) return { unscaled: product + 0, scale };
  }
  return decimal(BigInt(unscaled) * BigInt(factor), scale);
}

export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const sign = signOf(a);
  const other = signOf(b);
  if (sign !== other) return sign < other ? -1 : 1;
  if (sign === 0) return 0;
  let left = a.unscaled;
  let right = b.unscaled;
  if (a.scale !== b.scale) {
    // By the place of the first digit first, so that 1e9 against 1e-9 needs no number of 18 digits.
    const place = placeOf(a);
    const otherPlace = placeOf(b);
    if (place !== otherPlace) return place < otherPlace === sign > 0 ? -1 : 1;
    // In one place, the one with the smaller scale has as many digits as the other gets here.
    const scale = Math.min(a.scale, b.scale);
    left = shifted(left, a.scale - scale);
    right = shifted(right, b.scale - scale);
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Nothing finer than `10 ** scale` remains; what is finer is rounded away from zero. */
export function roundAway(value: Decimal, scale: number): Decimal {
  const drop = scale - value.scale;
  if (drop <= 0 || value.unscaled === 0) return value;
  if (drop > digitsOf(value.unscaled)) return { unscaled: signOf(value), scale };
  const power = POWERS[drop];
  const { unscaled } = value;
  if (typeof unscaled === 'number' && power !== undefined) {
    const rest = unscaled % power;
    return { unscaled: (unscaled - rest) / power + Math.sign(rest), scale };
  }
  const divisor = 10n ** BigInt(drop);
  const big = BigInt(unscaled);
  const rest = big % divisor;
  return decimal(big / divisor + (rest === 0n ? 0n : BigInt(signOf(value))), scale);
}

/** The value at `10 ** scale` as a whole number, rounded away from zero. Throws when it has far too many digits. */
export function wholeAt(value: Decimal, scale: number): number | bigint {
  const { unscaled, scale: from } = roundAway(value, scale);
  const by = from - scale;
  if (by > MAX_DIGITS && unscaled !== 0)
    throw new InvalidQuantityError(
      `a quantity of more than ${MAX_DIGITS} digits has no exact value; use value() or a smaller quantity`,
      `${unscaled}e${from}`,
    );
  return decimal(shifted(unscaled, by), scale).unscaled;
}

/** Whether the value is a whole number of `size`, a safe integer above 0. Never throws, and never takes long. */
export function isMultipleOf(value: Decimal, size: number): boolean {
  const { unscaled, scale } = roundAway(value, 0);
  if (compare({ unscaled, scale }, value) !== 0) return false;
  const divisor = BigInt(size);
  // 10^scale has all the twos and fives of a safe integer as soon as the scale is 53.
  const power = 10n ** BigInt(Math.min(Math.max(scale, 0), SAFE_BITS));
  const number = scale < 0 ? BigInt(wholeAt(value, 0)) : BigInt(unscaled) * power;
  return number % divisor === 0n;
}

/** As `wholeAt`, but never more than 64 bits hold, and as a number: beyond 2^53 the nearest. Never throws. */
export function cappedAt(value: Decimal, scale: number): number {
  const { unscaled } = value;
  const by = value.scale - scale;
  if ((by > 0 || typeof unscaled === 'bigint') && placeOf(value) - scale > INT64_DIGITS)
    return unscaled === 0 ? 0 : signOf(value) * MAX_INT64_NUMBER;
  const whole = Number(wholeAt(value, scale));
  return Math.max(-MAX_INT64_NUMBER, Math.min(MAX_INT64_NUMBER, whole));
}

/** The number nearest to the value; infinite when it is too large. */
export function nearestNumber({ unscaled, scale }: Decimal): number {
  if (scale === 0) return Number(unscaled);
  const power = POWERS[Math.abs(scale)];
  // Both are exact, so that the one division or multiplication rounds correctly.
  if (typeof unscaled === 'number' && power !== undefined)
    return scale < 0 ? unscaled / power : unscaled * power;
  return Number(`${unscaled}e${scale}`);
}
