// Long numbers, digit by digit: a million digits are cut and rounded in no time as long as they are text.

/** `digits * 10 ** scale`, without a sign. */
export interface Digits {
  readonly digits: string;
  readonly scale: number;
}

const ZERO = 48;
const NINE = 57;

/** No zeros at either end; `0` for nothing. */
export function trimZeros({ digits, scale }: Digits): Digits {
  let start = 0;
  while (start < digits.length && digits.charCodeAt(start) === ZERO) start++;
  if (start === digits.length) return { digits: '0', scale: 0 };
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  return { digits: digits.slice(start, end), scale: scale + digits.length - end };
}

/** Nothing finer than `10 ** scale` remains: rounded away from zero. Trimmed. */
export function roundDigitsAway(number: Digits, scale: number): Digits {
  const trimmed = trimZeros(number);
  const drop = scale - trimmed.scale;
  // The last digit of a trimmed number is no zero, so that to drop any is to round.
  if (drop <= 0 || trimmed.digits === '0') return trimmed;
  const kept = trimmed.digits.slice(0, Math.max(0, trimmed.digits.length - drop));
  return trimZeros({ digits: plusOne(kept), scale });
}

function plusOne(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === NINE) end--;
  const zeros = '0'.repeat(digits.length - end);
  if (end === 0) return `1${zeros}`;
  return `${digits.slice(0, end - 1)}${Number(digits[end - 1]) + 1}${zeros}`;
}
