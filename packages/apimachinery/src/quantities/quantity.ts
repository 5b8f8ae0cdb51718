import { InvalidArgumentError } from '@windlass/base';
import {
  add,
  cappedAt,
  compare,
  DECIMAL_ZERO,
  type Decimal,
  decimal,
  isMultipleOf,
  multiply,
  nearestNumber,
  negate,
  roundAway,
  signOf,
  wholeAt,
} from './decimal.ts';
import { formatQuantityText, parseQuantityText, type QuantityFormat } from './quantity-text.ts';

const MILLI = -3;
const NANO = -9;

/**
 * An amount of a resource: `500m`, `1.5Gi`, `12e6`. Never a float, and exact, but for sums of more than
 * 10,000 digits; finer than a billionth it is rounded away from zero. Any text that can be parsed can be
 * added, compared, counted and printed: none of that throws or takes long. Immutable. It remembers the format that it was written in, and
 * `String(quantity)` gives the text that a Kubernetes API server would store.
 *
 * Whole numbers up to 2^53 of any unit cost no bigint: to add, subtract or compare takes 20 to 80 ns,
 * to parse or to print less than half a microsecond.
 */
export class Quantity {
  static readonly zero: Quantity = new Quantity(DECIMAL_ZERO, 'DecimalSI', '0');

  readonly format: QuantityFormat;
  readonly #value: Decimal;
  #text: string | undefined;

  private constructor(value: Decimal, format: QuantityFormat, text?: string) {
    this.#value = value;
    this.format = format;
    this.#text = text;
  }

  /** Throws InvalidQuantityError with Kubernetes' words. */
  static parse(text: string): Quantity {
    const { value, format, text: kept } = parseQuantityText(text);
    return new Quantity(value, format, kept);
  }

  /** As fields of objects come: a text with blanks around it, or a number that somebody did not quote. */
  static from(value: string | number | Quantity): Quantity {
    if (value instanceof Quantity) return value;
    return Quantity.parse(typeof value === 'string' ? value.trim() : String(value));
  }

  /** `value * 10 ** scale`. The scale is -9 or more. */
  static of(value: number | bigint, format: QuantityFormat = 'DecimalSI', scale = 0): Quantity {
    if (typeof value === 'number' && !Number.isSafeInteger(value))
      throw new InvalidArgumentError('value', value, 'a safe integer or a bigint');
    if (!Number.isInteger(scale) || scale < NANO)
      throw new InvalidArgumentError('scale', scale, 'an integer of -9 or more');
    return new Quantity(decimal(typeof value === 'number' ? value + 0 : value, scale), format);
  }

  /** Thousandths: `Quantity.ofMilli(1500)` is `1500m`. */
  static ofMilli(value: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
    return Quantity.of(value, format, MILLI);
  }

  get sign(): -1 | 0 | 1 {
    return signOf(this.#value);
  }

  get isZero(): boolean {
    return this.#value.unscaled === 0;
  }

  compare(other: Quantity): -1 | 0 | 1 {
    return compare(this.#value, other.#value);
  }

  /** By value: `1` equals `1000m`. */
  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /** In the format of this one, or of the other when this one is zero. */
  add(other: Quantity): Quantity {
    return new Quantity(add(this.#value, other.#value), this.isZero ? other.format : this.format);
  }

  /** In the format of this one, or of the other when this one is zero. */
  sub(other: Quantity): Quantity {
    return new Quantity(add(this.#value, negate(other.#value)), this.isZero ? other.format : this.format);
  }

  /** `factor` is a whole number. */
  mul(factor: number | bigint): Quantity {
    if (typeof factor === 'number' && !Number.isSafeInteger(factor))
      throw new InvalidArgumentError('factor', factor, 'a safe integer or a bigint');
    return new Quantity(multiply(this.#value, factor), this.format);
  }

  neg(): Quantity {
    return new Quantity(negate(this.#value), this.format);
  }

  /** Nothing finer than `10 ** scale` remains; rounded away from zero. */
  roundUp(scale: number): Quantity {
    const rounded = roundAway(this.#value, scale);
    return rounded === this.#value ? this : new Quantity(rounded, this.format);
  }

  /**
   * Units, rounded away from zero to a whole number; beyond 2^53 the nearest that a number can be, and never
   * more than fits in 64 bits, which are what Kubernetes counts in.
   */
  value(): number {
    return cappedAt(this.#value, 0);
  }

  /** True when nothing is behind the decimal point. */
  get isWhole(): boolean {
    return compare(roundAway(this.#value, 0), this.#value) === 0;
  }

  /** True for a whole number of `size`, which is a safe integer above 0. */
  isMultipleOf(size: number): boolean {
    return isMultipleOf(this.#value, size);
  }

  /** Thousandths, rounded and capped likewise: what CPU is counted in. */
  milliValue(): number {
    return cappedAt(this.#value, MILLI);
  }

  /**
   * The value in `10 ** scale`, rounded away from zero: a bigint when a number would not be exact.
   * Throws InvalidQuantityError for what has more than some 10,000 digits, such as `1e1000000`.
   */
  scaledValue(scale: number): number | bigint {
    return wholeAt(this.#value, scale);
  }

  /** The nearest number, fractions included; infinite when it is too large. */
  asNumber(): number {
    return nearestNumber(this.#value);
  }

  toString(): string {
    this.#text ??= formatQuantityText(this.#value, this.format);
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** -1, 0 or 1 as `a` is less than, equal to, or more than `b`. */
export function compareQuantities(a: string | number, b: string | number): -1 | 0 | 1 {
  return Quantity.from(a).compare(Quantity.from(b));
}

/** The text that an API server would store for this one. */
export function canonicalQuantity(text: string | number): string {
  return Quantity.from(text).toString();
}
