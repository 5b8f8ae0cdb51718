// Times as the API writes them, RFC 3339 in UTC, and as the wire has them, seconds and nanoseconds since
// 1970: exact from the year 0 on, where milliseconds in one number are not. Not by way of Date: a list of
// pods holds tens of thousands of times, and most repeat.

const DAY = 86_400;
/** Year 1, which is Go's zero time and stands for "not set". */
export const ZERO_TIME_SECONDS = -62_135_596_800;

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
const two = (number: number): string => TWO_DIGITS[number] ?? String(number);

let lastSeconds = Number.NaN;
let lastText = '';

/** `2024-02-29T12:00:00Z`. Years past 9999 have five digits, as Go writes them. */
export function formatSeconds(seconds: number): string {
  if (seconds === lastSeconds) return lastText;
  const text = `${format(seconds)}Z`;
  lastSeconds = seconds;
  lastText = text;
  return text;
}

/** `2024-02-29T12:00:00.000001Z`: always six digits. */
export function formatMicros(seconds: number, nanos: number): string {
  return `${format(seconds)}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}

function format(seconds: number): string {
  const days = Math.floor(seconds / DAY);
  const rest = seconds - days * DAY;
  // Days counted from 1 March of year 0, so that the leap day is the last of its year.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const yearText = year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0');
  const clock = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  return `${yearText}-${two(month)}-${two(day)}T${clock}`;
}

export interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** Tolerant where Go's parser is: an hour of one digit, a comma before the fraction, odd offsets. */
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

let lastParsed: Timestamp | undefined;
let lastParsedText = '';

/** Undefined when the text is no RFC 3339 time. Digits past the nanosecond are dropped. */
export function parseTimestamp(text: string): Timestamp | undefined {
  if (text === lastParsedText) return lastParsed;
  lastParsed = parse(text);
  lastParsedText = text;
  return lastParsed;
}

function parse(text: string): Timestamp | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const daysInMonth = month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || part(9) > 24 || part(10) > 60) return undefined;
  const offset = (match[8] === '-' ? -60 : 60) * (part(9) * 60 + part(10));
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; the calendar repeats every 400 years.
  const utc = Date.UTC(year + 400, month - 1, day, hour, minute, second) / 1000 - 146_097 * DAY;
  const nanos = match[7] === undefined ? 0 : Number(match[7].slice(0, 9).padEnd(9, '0'));
  return { seconds: utc - offset, nanos };
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
