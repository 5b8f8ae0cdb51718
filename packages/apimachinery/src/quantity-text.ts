import { compare, type Decimal, decimal, multiply, negate, roundAway, signOf, wholeAt } from './decimal.ts';
import { InvalidQuantityError } from './errors.ts';

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
const INT32 = 2 ** 31;

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
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) < INT32 ? { format: 'DecimalExponent', exponent: exponent + 0 } : undefined;
}

/** Every form that Kubernetes takes; what is finer than a billionth is rounded away from zero. */
export function parseQuantityText(text: string): ParsedQuantity {
  const match = text === '' ? null : SHAPE.exec(text);
  if (match === null) throw new InvalidQuantityError(FORMAT_WRONG, text);
  const [, sign = '', whole = '', fraction = '', suffixText = ''] = match;
  const suffix = interpretSuffix(suffixText);
  if (suffix === undefined) throw new InvalidQuantityError(SUFFIX_WRONG, text);
  const binary = suffix.format === 'BinarySI';

  const digits = (whole.startsWith('0') ? whole.replace(/^0+/, '') || '0' : whole || '0') + fraction;
  const scale = (binary ? 0 : suffix.exponent) - fraction.length;
  let value = decimal(digits.length < 16 ? Number(digits) : BigInt(digits), scale);
  if (binary) value = multiply(value, 2 ** suffix.exponent);

  if (isShort(suffix, digits, fraction, scale)) {
    const parsed = { value: sign === '-' ? negate(value) : value, format: suffix.format };
    return text === '0' || isKept(binary, digits, scale) ? { ...parsed, text } : parsed;
  }
  if (whole === '' && fraction === '') throw new InvalidQuantityError(NUMERIC_WRONG, text);
  value = roundAway(value, NANO);
  let format = suffix.format;
  if (binary && compare(value, MAX_INT64) > 0) value = MAX_INT64;
  if (binary && signOf(value) > 0 && compare(value, ONE) < 0) format = 'DecimalSI';
  return { value: sign === '-' ? negate(value) : value, format };
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
  let digits = String(value.unscaled);
  let zeros = 0;
  while (digits.charCodeAt(digits.length - 1 - zeros) === 48) zeros++;
  let exponent = value.scale + zeros;
  digits = digits.slice(0, digits.length - zeros);
  let excess = ((exponent % 3) + 3) % 3;
  if (format !== 'DecimalExponent' && exponent > 18) excess = exponent - 18;
  digits += '0'.repeat(excess);
  exponent -= excess;
  if (format === 'DecimalExponent') return exponent === 0 ? digits : `${digits}e${exponent}`;
  return digits + (DECIMAL_SUFFIXES[exponent / 3 + 3] ?? `e${exponent}`);
}

const KIBI = decimal(1024, 0);

function formatBinary(value: Decimal): string | undefined {
  const magnitude = signOf(value) < 0 ? negate(value) : value;
  if (compare(magnitude, KIBI) < 0 || compare(roundAway(magnitude, 0), magnitude) !== 0) return undefined;
  let amount = wholeAt(value, 0);
  let power = 0;
  while (power < 6 && (typeof amount === 'bigint' ? amount % 1024n === 0n : amount % 1024 === 0)) {
    amount = typeof amount === 'bigint' ? amount / 1024n : amount / 1024;
    power++;
  }
  return `${amount}${BINARY_SUFFIXES[power] ?? ''}`;
}
