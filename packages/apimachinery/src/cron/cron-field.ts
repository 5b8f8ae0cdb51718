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
  const values = new Set<number>();
  let isStar = false;
  for (const expression of text.split(',')) {
    if (expression === '') continue;
    const { start, end, step, isAll } = parseRange(expression, range);
    isStar ||= isAll;
    for (let value = start; value <= end; value += step) values.add(value);
  }
  return { values, isStar };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isAll: boolean;
}

function parseRange(expression: string, range: FieldRange): Range {
  const [bounds = '', every, ...more] = expression.split('/');
  const [low = '', high, ...rest] = bounds.split('-');
  const isStar = low === '*' || low === '?';
  let [start, end] = [range.min, range.max];
  if (!isStar) {
    start = parseValue(low, range);
    if (rest.length > 0) throw new InvalidScheduleError(`too many hyphens: ${expression}`);
    end = high === undefined ? start : parseValue(high, range);
  }
  if (more.length > 0) throw new InvalidScheduleError(`too many slashes: ${expression}`);
  const step = every === undefined ? 1 : parseNumber(every);
  // `5/20` goes on to the end.
  if (every !== undefined && high === undefined) end = range.max;
  const fail = (problem: string): never => {
    throw new InvalidScheduleError(`${problem}: ${expression}`);
  };
  if (start < range.min) fail(`beginning of range (${start}) below minimum (${range.min})`);
  if (end > range.max) fail(`end of range (${end}) above maximum (${range.max})`);
  if (start > end) fail(`beginning of range (${start}) beyond end of range (${end})`);
  if (step === 0) fail('step of range should be a positive number');
  return { start, end, step, isAll: isStar && step === 1 };
}

function parseValue(text: string, { names = [], min }: FieldRange): number {
  const named = names.indexOf(text.toLowerCase());
  return named === -1 ? parseNumber(text) : min + named;
}

function parseNumber(text: string): number {
  const fail = (problem: string): never => {
    throw new InvalidScheduleError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${problem}`,
    );
  };
  if (!NUMBER.test(text)) fail('invalid syntax');
  const value = Number(text);
  if (Math.abs(value) >= 2 ** 63) fail('value out of range');
  if (value < 0) throw new InvalidScheduleError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
