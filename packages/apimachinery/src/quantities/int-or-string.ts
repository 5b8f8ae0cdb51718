import { InvalidIntOrStringError } from '../errors.ts';
import { bigIntegerOf } from '../text/big-integer.ts';
import { goQuote } from '../text/go-text.ts';

/** A whole number, or a text that is mostly a percentage (`25%`) or the name of a port. */
export type IntOrString = number | string;

const DECIMAL = /^[+-]?[0-9]+$/;
const MAX_INT64 = 2n ** 63n - 1n;

/** A number where the text is one of 32 bits, else the text itself. */
export function parseIntOrString(text: string): IntOrString {
  if (!DECIMAL.test(text)) return text;
  const value = Number(text);
  return value >= -(2 ** 31) && value < 2 ** 31 ? value + 0 : text;
}

/**
 * The number that a setting such as `maxUnavailable` stands for: itself, or its share of `total`,
 * rounded up or down. A text without `%` is refused.
 */
export function scaledIntOrPercent(value: IntOrString | undefined, total: number, roundUp: boolean): number {
  if (value === undefined) throw new InvalidIntOrStringError('nil value for IntOrString');
  if (typeof value === 'number') return value;
  const share = (percentOf(value) * total) / 100;
  // Adding zero turns the negative zero into the one that everybody expects.
  return (roundUp ? Math.ceil(share) : Math.floor(share)) + 0;
}

function percentOf(text: string): number {
  const fail = (problem: string): never => {
    throw new InvalidIntOrStringError(`invalid value for IntOrString: ${problem}`);
  };
  if (!text.endsWith('%')) fail('invalid type: string is not a percentage');
  const digits = text.slice(0, -1);
  const atoi = (problem: string): string =>
    `invalid value ${goQuote(text)}: strconv.Atoi: parsing ${goQuote(digits)}: ${problem}`;
  if (!DECIMAL.test(digits)) fail(atoi('invalid syntax'));
  const exact = bigIntegerOf(digits);
  if (exact > MAX_INT64 || exact < -MAX_INT64 - 1n) fail(atoi('value out of range'));
  return Number(exact);
}
