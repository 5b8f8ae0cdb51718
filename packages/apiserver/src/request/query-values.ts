// How Go reads the values of a query. Of a parameter that is there several times the first one counts.
import { goQuote, newBadRequest } from '@windlass/apimachinery';

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

export function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value[0];
}

/** Empty when the parameter is absent. */
export function textOf(query: Query, name: string): string {
  return first(query[name]) ?? '';
}

/** Undefined when the parameter is absent. What is there is true, even when it is empty, unless it says otherwise. */
export function booleanOf(query: Query, name: string): boolean | undefined {
  const text = first(query[name]);
  return text === undefined ? undefined : !(text === '0' || text.toLowerCase() === 'false');
}

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
/** With more digits than this, it does not fit in 64 bits. */
const INT64_DIGITS = 19;

/**
 * Undefined when the parameter is absent. A whole number of 64 bits, else BadRequest; beyond 2^53 the nearest
 * that a number can be exactly.
 */
export function integerOf(query: Query, name: string): number | undefined {
  const text = first(query[name]);
  if (text === undefined) return undefined;
  const [, sign = '', digits] = /^([+-]?)0*([0-9]+)$/.exec(text) ?? [];
  if (digits === undefined) throw unreadable(text, 'invalid syntax');
  const value = digits.length > INT64_DIGITS ? undefined : BigInt(`${sign === '-' ? '-' : ''}${digits}`);
  if (value === undefined || value > INT64_MAX || value < INT64_MIN)
    throw unreadable(text, 'value out of range');
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value)));
}

function unreadable(text: string, problem: string): Error {
  return newBadRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`);
}
