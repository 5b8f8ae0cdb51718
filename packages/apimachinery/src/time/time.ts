// Objects carry times as texts. Programs count in milliseconds since 1970, as the Clock does.

import { InvalidTimeError } from '../errors.ts';
import { goQuote } from '../text/go-text.ts';

/** Tolerant where Go's parser is: an hour of one digit, a comma before the fraction. */
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** What a MicroTime must have: six digits of a second, no more, no fewer. */
const MICRO = /^[^.]*\.\d{6}(?:Z|[+-]\d\d:\d\d)$/;

/** From 1691 to 2248 a number of milliseconds tells microseconds apart; beyond, they are dropped. */
const MICROS_EXACT_MS = 2 ** 43;

const MIN_MS = Date.parse('0000-01-01T00:00:00Z');
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Seconds, as most times in objects are (`metav1.Time`): `2006-01-02T15:04:05Z`. What is finer is cut. */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastText = `${isoText(ms).slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

// Many objects are written in one second.
let lastSecond = Number.NaN;
let lastText = '';

/** Microseconds, as in leases and events (`metav1.MicroTime`): `2006-01-02T15:04:05.000000Z`. */
export function formatMicroTime(ms: number): string {
  const whole = Math.floor(ms);
  const micros = Math.abs(ms) < MICROS_EXACT_MS ? Math.round((ms - whole) * 1000) : 0;
  const text = isoText(whole + Math.floor(micros / 1000)).slice(0, 23);
  return `${text}${String(micros % 1000).padStart(3, '0')}Z`;
}

function isoText(ms: number): string {
  if (!(ms >= MIN_MS && ms <= MAX_MS))
    throw new InvalidTimeError(`${ms} ms since 1970 is no time between the years 0 and 9999`);
  return new Date(Math.floor(ms)).toISOString();
}

/** Milliseconds since 1970, with a fraction when the text is finer than that. */
export function parseTime(text: string): number {
  const match = RFC3339.exec(text);
  const ms = match === null ? undefined : milliseconds(match);
  if (ms === undefined)
    throw new InvalidTimeError(`${goQuote(text)} is no RFC 3339 time such as "2006-01-02T15:04:05Z"`);
  return ms;
}

/** As `parseTime`, and the text must have exactly six digits after the second, as API servers demand. */
export function parseMicroTime(text: string): number {
  if (!MICRO.test(text))
    throw new InvalidTimeError(
      `${goQuote(text)} is no RFC 3339 time with microseconds such as "2006-01-02T15:04:05.000000Z"`,
    );
  return parseTime(text);
}

function milliseconds(match: readonly (string | undefined)[]): number | undefined {
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = ''] = match;
  const [sign, offsetHours, offsetMinutes] = [match[8], Number(match[9] ?? 0), Number(match[10] ?? 0)];
  // People do write offsets of 24 hours and of 60 minutes, and Go lets them.
  if (offsetHours > 24 || offsetMinutes > 60) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const days = daysIn(Number(year), Number(month));
  if (Number(day) < 1 || Number(day) > days) return undefined;
  const local = Date.parse(`${year}-${month}-${day}T${hour.padStart(2, '0')}:${minute}:${second}Z`);
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (sign === '-' ? -1 : 1);
  const ms = local - offset;
  const places = Math.abs(ms) < MICROS_EXACT_MS ? 6 : 3;
  return ms + Number(fraction.slice(0, places).padEnd(6, '0')) / 1000;
}

/** 0 for a month that does not exist. */
function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
