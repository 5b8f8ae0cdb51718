import { InvalidQuantityError } from '../errors.ts';
import {
  compare,
  type Decimal,
  decimal,
  MAX_DIGITS,
  multiply,
  negate,
  roundAway,
  signOf,
  wholeAt,
} from './decimal.ts';
import { type Digits, roundDigitsAway, trimZeros } from './quantity-digits.ts';

/** How a quantity was written, and is written again: `12M`, `12Mi`, `12e6`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface ParsedQuantity {
  readonly value: Decimal;
  readonly format: QuantityFormat;
  /**
   * The text itself where Kubernetes keeps it rather than write the canonical form. It takes a short
   * look only, so that `+1`, `010` and `1.500` are kept too.
   */
  readonly text?: string;
}

const NANO = -9;
const MAX_INT64 = decimal(2n ** 63n - 1n, 0);
const ONE = decimal(1, 0);
const MAX_INT64_DIGITS = 19;
/** Finer than any multiple of a billionth is after it was divided by 2^60. */
const FINEST_BINARY = -80;
/** The largest exponent of a canonical form that can be read again: below 2^31, and a multiple of three. */
const MAX_EXPONENT = 2_147_483_646;
/** With more zeros than this a decimal quantity is written with an exponent. */
const MAX_ZEROS = 1000;

const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

interface Suffix {
  readonly format: QuantityFormat;
  /** Of ten, or of two in BinarySI. */
  readonly exponent: number;
}

const SUFFIXES: ReadonlyMap<string, Suffix> = new Map<string, Suffix>([
  ...DECIMAL_SUFFIXES.map((text, index) => [text, { format: 'DecimalSI', exponent: 3 * index - 9 }] as const),
  ...BINARY_SUFFIXES.slice(1).map(
    (text, index) => [text, { format: 'BinarySI', exponent: 10 * (index + 1) }] as const,
  ),
]);

const SHAPE = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;

const FORMAT_WRONG =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMERIC_WRONG = 'unable to parse numeric part of quantity';
const SUFFIX_WRONG = "unable to parse quantity's suffix";

function interpretSuffix(suffix: string): Suffix | undefined {
  const known = SUFFIXES.get(suffix);
  if (known !== undefined) return known;
  const [, sign, digits] = /^[eE]([+-]?)0*([0-9]+)$/.exec(suffix) ?? [];
  if (digits === undefined || digits.length > MAX_INT64_DIGITS) return undefined;
  const wide = BigInt(digits) * (sign === '-' ? -1n : 1n);
  if (BigInt.asIntN(64, wide) !== wide) return undefined;
  // Kubernetes reads 64 bits and keeps 32: 1e4294967296 is 1.
  return { format: 'DecimalExponent', exponent: Number(BigInt.asIntN(32, wide)) };
}

/** Every form that Kubernetes takes; what is finer than a billionth is rounded away from zero. */
export function parseQuantityText(text: string): ParsedQuantity {
  const match = text === '' ? null : SHAPE.exec(text);
  if (match === null) throw new InvalidQuantityError(FORMAT_WRONG, text);
  const [, sign = '', whole = '', fraction = '', suffixText = ''] = match;
  const suffix = interpretSuffix(suffixText);
  if (suffix === undefined) throw new InvalidQuantityError(SUFFIX_WRONG, text);
  const binary = suffix.format === 'BinarySI';
  const isNegative = sign === '-';

  const digits = (whole.startsWith('0') ? whole.replace(/^0+/, '') || '0' : whole || '0') + fraction;
  const scale = (binary ? 0 : suffix.exponent) - fraction.length;
  if (isShort(suffix, digits, fraction, scale)) {
    const short = decimal(digits.length < 16 ? Number(digits) : BigInt(digits), scale);
    const value = binary ? multiply(short, 2 ** suffix.exponent) : short;
    const parsed = { value: isNegative ? negate(value) : value, format: suffix.format };
    return text === '0' || isKept(binary, digits, scale) ? { ...parsed, text } : parsed;
  }
  if (whole === '' && fraction === '') throw new InvalidQuantityError(NUMERIC_WRONG, text);
  if (binary) return parseLongBinary({ digits, scale }, suffix.exponent, isNegative);
  return parseLongDecimal({ digits, scale }, suffix.format, isNegative);
}

function parseLongBinary(number: Digits, exponent: number, isNegative: boolean): ParsedQuantity {
  const { digits, scale } = roundDigitsAway(number, FINEST_BINARY);
  let value = MAX_INT64;
  if (digits.length + scale <= MAX_INT64_DIGITS)
    value = roundAway(multiply(decimal(BigInt(digits), scale), 2 ** exponent), NANO);
  if (compare(value, MAX_INT64) > 0) value = MAX_INT64;
  const isBelowOne = signOf(value) > 0 && compare(value, ONE) < 0;
  return { value: isNegative ? negate(value) : value, format: isBelowOne ? 'DecimalSI' : 'BinarySI' };
}

/** A number of very many digits is counted by the first of them, rounded away from zero, and written with all. */
function parseLongDecimal(number: Digits, format: QuantityFormat, isNegative: boolean): ParsedQuantity {
  const whole = roundDigitsAway(number, NANO);
  const isCut = whole.digits.length > MAX_DIGITS;
  const counted = isCut ? roundDigitsAway(whole, whole.scale + whole.digits.length - MAX_DIGITS) : whole;
  const magnitude = decimal(BigInt(counted.digits), counted.scale);
  const value = isNegative ? negate(magnitude) : magnitude;
  if (!isCut) return { value, format };
  return { value, format, text: (isNegative ? '-' : '') + formatDigits(whole, format) };
}

/** Where Kubernetes is sure, by the number of digits alone, that 64 bits are enough. */
function isShort(suffix: Suffix, digits: string, fraction: string, scale: number): boolean {
  if (scale < NANO) return false;
  if (suffix.format !== 'BinarySI') return digits.length <= 18;
  return fraction === '' && digits.length <= 14 - Math.trunc((suffix.exponent * 3) / 10);
}

function isKept(binary: boolean, digits: string, scale: number): boolean {
  if (binary) return Number(digits) % 8 !== 0;
  return scale % 3 === 0 && !digits.startsWith('0') && !digits.endsWith('000');
}

/**
 * The canonical form: no fraction, and the largest suffix that needs none. A binary quantity below 1024
 * or with a fraction is written in decimal. Beyond the largest suffix the digits grow, where Kubernetes
 * would drop the suffix and so change the value.
 */
export function formatQuantityText(value: Decimal, format: QuantityFormat): string {
  if (signOf(value) === 0) return '0';
  if (format === 'BinarySI') {
    const binary = formatBinary(value);
    if (binary !== undefined) return binary;
  }
  const isNegative = signOf(value) < 0;
  const digits = String(value.unscaled).slice(isNegative ? 1 : 0);
  return (isNegative ? '-' : '') + formatDigits(trimZeros({ digits, scale: value.scale }), format);
}

/** In decimal, with a suffix or an exponent. The number is trimmed. */
function formatDigits({ digits, scale }: Digits, format: QuantityFormat): string {
  const hasExponent = format === 'DecimalExponent' || scale > 18 + MAX_ZEROS;
  let excess = ((scale % 3) + 3) % 3;
  if (!hasExponent && scale > 18) excess = scale - 18;
  if (scale > MAX_EXPONENT) excess = scale - MAX_EXPONENT;
  const shown = digits + '0'.repeat(excess);
  const exponent = scale - excess;
  if (hasExponent) return exponent === 0 ? shown : `${shown}e${exponent}`;
  return shown + (DECIMAL_SUFFIXES[exponent / 3 + 3] ?? `e${exponent}`);
}

const KIBI = decimal(1024, 0);

function formatBinary(value: Decimal): string | undefined {
  const magnitude = signOf(value) < 0 ? negate(value) : value;
  if (compare(magnitude, KIBI) < 0 || compare(roundAway(magnitude, 0), magnitude) !== 0) return undefined;
  // The sum of a binary quantity and one that is far larger.
  if (value.scale > MAX_ZEROS) return undefined;
  let amount = wholeAt(value, 0);
  let power = 0;
  while (power < 6 && (typeof amount === 'bigint' ? amount % 1024n === 0n : amount % 1024 === 0)) {
    amount = typeof amount === 'bigint' ? amount / 1024n : amount / 1024;
    power++;
  }
  return `${amount}${BINARY_SUFFIXES[power] ?? ''}`;
}
