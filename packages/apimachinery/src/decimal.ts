// Exact decimal numbers, small ones without allocation of a bigint. What resource quantities are made of.

import { InvalidQuantityError } from './errors.ts';

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
 * Sums of numbers further apart than this have more digits than any resource; a text of ten characters
 * must not cost a gigabyte.
 */
const MAX_DIGITS_APART = 10_000;

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

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

/** `unscaled * 10 ** by`, exactly. */
function shifted(unscaled: number | bigint, by: number): number | bigint {
  if (by === 0 || unscaled === 0) return unscaled;
  const power = POWERS[by];
  if (typeof unscaled === 'number' && power !== undefined) {
    const product = unscaled * power;
    if (Number.isSafeInteger(product)) return product;
  }
  if (by > MAX_DIGITS_APART)
    throw new InvalidQuantityError(
      `quantities ${by} decimal places apart cannot be added; use values of a like size`,
      `1e${by}`,
    );
  return BigInt(unscaled) * 10n ** BigInt(by);
}

export function add(a: Decimal, b: Decimal): Decimal {
  if (a.unscaled === 0) return b;
  if (b.unscaled === 0) return a;
  const scale = Math.min(a.scale, b.scale);
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
    const place = digitsOf(left) + a.scale;
    const otherPlace = digitsOf(right) + b.scale;
    if (place !== otherPlace) return place < otherPlace === sign > 0 ? -1 : 1;
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

/** The value at `10 ** scale` as a whole number, rounded away from zero. */
export function wholeAt(value: Decimal, scale: number): number | bigint {
  const rounded = roundAway(value, scale);
  return decimal(shifted(rounded.unscaled, rounded.scale - scale), scale).unscaled;
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
