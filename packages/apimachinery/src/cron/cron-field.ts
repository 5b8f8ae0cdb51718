// One field of a schedule: `*`, `5`, `mon-fri`, `*/15`, `0-30/10,45`.
import { goQuote } from '../text/go-text.ts';
import { InvalidScheduleError } from './errors.ts';

export interface CronField {
  readonly values: ReadonlySet<number>;
  /** It says nothing: with both fields for days one of them may do so, and then the other decides. */
  readonly isStar: boolean;
}

export interface FieldRange {
  readonly min: number;
  readonly max: number;
  /** Names of values, from `min` on. */
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

export const MINUTES: FieldRange = { min: 0, max: 59 };
export const HOURS: FieldRange = { min: 0, max: 23 };
export const DAYS_OF_MONTH: FieldRange = { min: 1, max: 31 };
export const MONTHS_OF_YEAR: FieldRange = { min: 1, max: 12, names: MONTHS };
export const DAYS_OF_WEEK: FieldRange = { min: 0, max: 6, names: DAYS };

const NUMBER = /^[+-]?\d+$/;

/** @throws InvalidScheduleError */
export function parseField(text: string, range: FieldRange): CronField {
  // By value, not a set: a megabyte of ranges names each value half a million times.
  const isNamed = new Uint8Array(range.max + 1);
  let isStar = false;
  for (const expression of text.split(',')) {
    if (expression === '') continue;
    const { start, end, step, isAll } = parseRange(expression, range);
    isStar ||= isAll;
    for (let value = start; value <= end; value += step) isNamed[value] = 1;
  }
  const values = new Set<number>();
  for (const [value, named] of isNamed.entries()) if (named === 1) values.add(value);
  return { values, isStar };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isAll: boolean;
}

function parseRange(expression: string, range: FieldRange): Range {
  const [bounds, every] = halves(expression, '/');
  const [low, high] = halves(bounds, '-');
  const isStar = low === '*' || low === '?';
  let [start, end] = [range.min, range.max];
  if (!isStar) {
    start = parseValue(low, range);
    if (high?.includes('-') === true) throw new InvalidScheduleError(`too many hyphens: ${expression}`);
    end = high === undefined ? start : parseValue(high, range);
  }
  if (every?.includes('/') === true) throw new InvalidScheduleError(`too many slashes: ${expression}`);
  const step = every === undefined ? 1 : parseNumber(every);
  // `5/20` goes on to the end.
  if (every !== undefined && high === undefined) end = range.max;
  const problem = problemOf(start, end, step, range);
  if (problem !== undefined) throw new InvalidScheduleError(`${problem}: ${expression}`);
  return { start, end, step, isAll: isStar && step === 1 };
}

function problemOf(start: number, end: number, step: number, { min, max }: FieldRange): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min})`;
  if (end > max) return `end of range (${end}) above maximum (${max})`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end})`;
  return step === 0 ? 'step of range should be a positive number' : undefined;
}

/** What stands before the first mark, and what behind it if there is one. */
function halves(text: string, mark: string): readonly [string, string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function parseValue(text: string, { names, min }: FieldRange): number {
  const named = names === undefined ? -1 : names.indexOf(text.toLowerCase());
  return named === -1 ? parseNumber(text) : min + named;
}

function parseNumber(text: string): number {
  if (!NUMBER.test(text)) throw notANumber(text, 'invalid syntax');
  const value = Number(text);
  if (Math.abs(value) >= 2 ** 63) throw notANumber(text, 'value out of range');
  if (value < 0) throw new InvalidScheduleError(`negative number (${value}) not allowed: ${text}`);
  return value;
}

function notANumber(text: string, problem: string): InvalidScheduleError {
  return new InvalidScheduleError(
    `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${problem}`,
  );
}
