/** As long as anything that is compared: the value of a label has 63 characters. */
const MAX_DIGITS = 64;
const BEYOND = 10n ** BigInt(MAX_DIGITS);

/**
 * The whole number that decimal digits say, with a sign or without. To read a million digits takes seconds, so
 * that a number of more than 64 digits only is one beyond every limit: 10 to the 64th, with its sign.
 */
export function bigIntegerOf(text: string): bigint {
  const isNegative = text.startsWith('-');
  const digits = text.replace(/^[-+]?0*/, '');
  const size = digits.length > MAX_DIGITS ? BEYOND : BigInt(digits);
  return isNegative ? -size : size;
}
