import type { Declarations } from '../language/declarations.ts';
import type { Duration } from '../language/values.ts';

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
const TEXT = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** @throws Error for what is no time of RFC 3339 */
export function parseTime(text: string): Date {
  const time = TEXT.test(text) ? new Date(text.toUpperCase()) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) throw new Error(`invalid timestamp "${text}"`);
  return inRange(time);
}

export function addTime(time: Date, nanos: bigint): Date {
  return inRange(new Date(time.getTime() + Number(nanos / 1_000_000n)));
}

function inRange(time: Date): Date {
  if (time.getTime() < EARLIEST || time.getTime() > LATEST) throw new Error('timestamp overflow');
  return time;
}

/** As RFC 3339 has it, without zeros at the end. */
export function timeText(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}

type Part = (time: Date) => number;

const PARTS: Readonly<Record<string, Part>> = {
  getFullYear: (time) => time.getUTCFullYear(),
  getMonth: (time) => time.getUTCMonth(),
  getDate: (time) => time.getUTCDate(),
  getDayOfMonth: (time) => time.getUTCDate() - 1,
  getDayOfWeek: (time) => time.getUTCDay(),
  getDayOfYear: (time) =>
    Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0, 1)) / (24 * 3600 * 1000)),
  getHours: (time) => time.getUTCHours(),
  getMinutes: (time) => time.getUTCMinutes(),
  getSeconds: (time) => time.getUTCSeconds(),
  getMilliseconds: (time) => time.getUTCMilliseconds(),
};

const LENGTHS: Readonly<Record<string, (nanos: bigint) => bigint>> = {
  getHours: (nanos) => nanos / 3_600_000_000_000n,
  getMinutes: (nanos) => nanos / 60_000_000_000n,
  getSeconds: (nanos) => nanos / 1_000_000_000n,
  getMilliseconds: (nanos) => (nanos / 1_000_000n) % 1000n,
};

/** The parts of times and durations: `getHours`, … */
export function registerTimes(env: Declarations): void {
  for (const [name, part] of Object.entries(PARTS))
    env
      .function(`timestamp.${name}(): int`, (time: Date) => BigInt(part(time)))
      .function(`timestamp.${name}(string): int`, (time: Date, zone: string) =>
        BigInt(part(inZone(time, zone))),
      );
  for (const [name, part] of Object.entries(LENGTHS))
    env.function(`duration.${name}(): int`, ({ nanos }: Duration) => part(nanos));
}

/** The time whose parts in UTC are those of `time` in the zone. */
function inZone(time: Date, zone: string): Date {
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(time.getTime() + (offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  let parts: Intl.DateTimeFormatPart[];
  try {
    parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(time);
  } catch {
    throw new Error(`unknown time zone ${zone}`);
  }
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return new Date(shown + time.getUTCMilliseconds());
}
