// What a plain scalar means: the rules of YAML 1.1 as Kubernetes' tools have them, which are not those of
// any standard. `yes` is true, `0777` is 511, `1:30` and `2001-01-01` are texts.

const CONSTANTS: ReadonlyMap<string, boolean | null | number> = new Map<string, boolean | null | number>([
  ...words(true, 'y yes true on'),
  ...words(false, 'n no false off'),
  ...words(null, 'null'),
  ['', null],
  ['~', null],
  ['.nan', Number.NaN],
  ['.NaN', Number.NaN],
  ['.NAN', Number.NaN],
  ...['', '+'].flatMap((sign) => words(Number.POSITIVE_INFINITY, '.inf', sign)),
  ...words(Number.NEGATIVE_INFINITY, '.inf', '-'),
]);

/** Each word in small letters, with a capital, and in capitals. */
function words<T>(value: T, list: string, sign = ''): [string, T][] {
  return list.split(' ').flatMap((word): [string, T][] => {
    const capital = word.replace(/[a-z]/, (letter) => letter.toUpperCase());
    return [word, capital, word.toUpperCase()].map((form): [string, T] => [sign + form, value]);
  });
}

const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const DOT_FLOAT = /^\.[0-9]+([eE][-+]?[0-9]+)?$/;
/** So many digits are below 2^53. */
const SHORT = 15;
const DECIMAL = /^[0-9]+$/;
const MAX_DIGITS = 64;
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

export type ScalarValue = string | number | boolean | null;

/** The value that an unquoted scalar without a tag has. */
export function resolveScalar(text: string): ScalarValue {
  const constant = CONSTANTS.get(text);
  if (constant !== undefined) return constant;
  const first = text.charCodeAt(0);
  if (first === 46) return DOT_FLOAT.test(text) ? finite(text, text) : text;
  if (!((first >= 48 && first <= 57) || first === 43 || first === 45)) return text;
  // Most numbers are short and decimal: exact without a detour over big integers. A leading zero means octal.
  if (text.length <= SHORT && first >= 49 && first <= 57 && DECIMAL.test(text)) return Number(text);
  const plain = text.replaceAll('_', '');
  const whole = parseInteger(plain);
  if (whole !== undefined) return Number(whole);
  return FLOAT.test(plain) ? finite(plain, text) : text;
}

/** A number too large to be one is a text. */
function finite(digits: string, text: string): number | string {
  const value = Number(digits);
  return Number.isFinite(value) ? value : text;
}

/** Decimal, or with a prefix hexadecimal, octal or binary; undefined beyond 64 bits. */
function parseInteger(text: string): bigint | undefined {
  const match = /^([-+]?)(?:(0[xX][0-9a-fA-F]+)|(0[bB][01]+)|0[oO]?([0-7]+)|([1-9][0-9]*|0))$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', hexadecimal, binary, octal, decimal] = match;
  const digits = hexadecimal ?? binary ?? (octal === undefined ? decimal : `0o${octal}`);
  // A number of a million digits takes seconds to read; one of 64 bits has 64 at most, and zeros before them.
  if ((digits ?? '').replace(/^0[xXbBo]?0*/, '').length > MAX_DIGITS) return undefined;
  const size = BigInt(digits ?? 0);
  if (size > (sign === '-' ? MAX_INT64 + 1n : sign === '+' ? MAX_INT64 : MAX_UINT64)) return undefined;
  return sign === '-' ? -size : size;
}

/** A whole number as a key, to the last digit; undefined for what is none. */
export function integerKey(text: string): string | undefined {
  return /^[-+0-9]/.test(text) ? parseInteger(text.replaceAll('_', ''))?.toString() : undefined;
}

const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const DATE = /^[0-9]{4}-[0-9]/;

/** True for a text that this or another reader would not take for a text if it stood unquoted. */
export function isAmbiguous(text: string): boolean {
  return (
    typeof resolveScalar(text) !== 'string' ||
    text === '<<' ||
    text === '=' ||
    BASE_60.test(text) ||
    DATE.test(text)
  );
}
