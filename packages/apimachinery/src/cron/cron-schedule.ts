// Schedules of cron jobs: the five fields of cron, or a word for what is common.
import { toError } from '@windlass/base';
import { parseDuration } from '../time/duration.ts';
import {
  type CronField,
  DAYS_OF_MONTH,
  DAYS_OF_WEEK,
  HOURS,
  MINUTES,
  MONTHS_OF_YEAR,
  parseField,
} from './cron-field.ts';
import { InvalidScheduleError } from './errors.ts';
import { TimeZone } from './time-zone.ts';

/** When something is due. Instants are milliseconds since 1970. */
export interface CronSchedule {
  /** The first time after this one; undefined when there is none within five years. */
  next(after: number): number | undefined;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const YEARS_AHEAD = 5;
/** All sixty minutes of an hour by name are 170 characters; a megabyte is somebody's mistake. */
const MAX_LENGTH = 4096;

const WORDS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const EVERY = '@every ';
const ZONED = /^(?:CRON_)?TZ=([^ ]*) (.*)$/s;

/**
 * Reads a schedule as Kubernetes does. The zone is for schedules that do not name one themselves; new objects
 * may not, old ones do (`TZ=` or `CRON_TZ=` in front).
 * @throws InvalidScheduleError
 */
export function parseCronSchedule(text: string, zone: TimeZone = TimeZone.utc): CronSchedule {
  if (text === '') throw new InvalidScheduleError('empty spec string');
  if (text.length > MAX_LENGTH)
    throw new InvalidScheduleError(`it has ${text.length} characters; the limit is ${MAX_LENGTH}`);
  const zoned = ZONED.exec(text);
  if (zoned !== null) return parseIn((zoned[2] ?? '').trim(), namedZone(zoned[1] ?? ''));
  // In the words of the program that stumbles over it.
  if (/^(?:CRON_)?TZ=/.test(text))
    throw new InvalidScheduleError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  return parseIn(text, zone);
}

function namedZone(name: string): TimeZone {
  try {
    return new TimeZone(name);
  } catch (error) {
    throw new InvalidScheduleError(`provided bad location ${name}: ${toError(error).message}`, error);
  }
}

function parseIn(text: string, zone: TimeZone): CronSchedule {
  if (text.startsWith(EVERY)) return new Interval(intervalOf(text));
  if (text.startsWith('@') && !Object.hasOwn(WORDS, text))
    throw new InvalidScheduleError(`unrecognized descriptor: ${text}`);
  const fields = (WORDS[text] ?? text).split(/\s+/).filter((field) => field !== '');
  if (fields.length !== 5)
    throw new InvalidScheduleError(
      `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`,
    );
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  return new FieldSchedule(zone, {
    minute: parseField(minute, MINUTES),
    hour: parseField(hour, HOURS),
    day: parseField(day, DAYS_OF_MONTH),
    month: parseField(month, MONTHS_OF_YEAR),
    weekday: parseField(weekday, DAYS_OF_WEEK),
  });
}

/** Whole seconds, at least one. */
function intervalOf(text: string): number {
  try {
    const ms = parseDuration(text.slice(EVERY.length));
    return ms < SECOND ? SECOND : ms - (ms % SECOND);
  } catch (error) {
    throw new InvalidScheduleError(`failed to parse duration ${text}: ${toError(error).message}`, error);
  }
}

class Interval implements CronSchedule {
  readonly #ms: number;

  constructor(ms: number) {
    this.#ms = ms;
  }

  next(after: number): number {
    return Math.floor(after / SECOND) * SECOND + this.#ms;
  }
}

interface Fields {
  readonly minute: CronField;
  readonly hour: CronField;
  readonly day: CronField;
  readonly month: CronField;
  readonly weekday: CronField;
}

/**
 * By what clocks show. What they skip when they are put forward does not take place on that day; what they
 * show twice takes place twice.
 */
class FieldSchedule implements CronSchedule {
  readonly #zone: TimeZone;
  readonly #fields: Fields;

  constructor(zone: TimeZone, fields: Fields) {
    this.#zone = zone;
    this.#fields = fields;
  }

  next(after: number): number | undefined {
    const { month, hour, minute } = this.#fields;
    // The first second that counts; schedules begin with minutes.
    let instant = Math.floor(after / SECOND) * SECOND + SECOND;
    instant = Math.ceil(instant / MINUTE) * MINUTE;
    const lastYear = this.#clock(Math.floor(after / SECOND) * SECOND + SECOND).getUTCFullYear() + YEARS_AHEAD;
    for (;;) {
      const clock = this.#clock(instant);
      if (clock.getUTCFullYear() > lastYear) return undefined;
      if (!month.values.has(clock.getUTCMonth() + 1)) instant = this.#startOfMonthAfter(instant, clock);
      else if (!this.#isDay(clock)) instant = this.#startOfDayAfter(instant, clock);
      else if (!hour.values.has(clock.getUTCHours())) instant = this.#startOfHourAfter(instant, clock);
      else if (!minute.values.has(clock.getUTCMinutes())) instant += MINUTE;
      else return instant;
    }
  }

  /** One of the two is enough, unless one of them says nothing. */
  #isDay(clock: Date): boolean {
    const { day, weekday } = this.#fields;
    const [isDay, isWeekday] = [day.values.has(clock.getUTCDate()), weekday.values.has(clock.getUTCDay())];
    return day.isStar || weekday.isStar ? isDay && isWeekday : isDay || isWeekday;
  }

  #clock(instant: number): Date {
    return this.#zone.clockAt(instant);
  }

  #startOfMonthAfter(instant: number, clock: Date): number {
    return this.#forward(instant, Date.UTC(clock.getUTCFullYear(), clock.getUTCMonth() + 1, 1));
  }

  #startOfDayAfter(instant: number, clock: Date): number {
    const next = Date.UTC(clock.getUTCFullYear(), clock.getUTCMonth(), clock.getUTCDate() + 1);
    return this.#forward(instant, next);
  }

  #startOfHourAfter(instant: number, clock: Date): number {
    const intoHour = clock.getUTCMinutes() * MINUTE;
    return instant - intoHour + HOUR;
  }

  /** Where clocks skip midnight, the day begins when they go on; some places have skipped whole days. */
  #forward(instant: number, clock: number): number {
    const found = this.#zone.instantOf(clock);
    const shown = found + this.#zone.offsetAt(found);
    if (shown < clock) return Math.max(found + (clock - shown), instant + MINUTE);
    return Math.max(found, instant + MINUTE);
  }
}
