// The schedule of a cron job, as the library that upstream uses reads it.
import type { FieldPath } from '@windlass/apimachinery';
import type { Findings } from './findings.ts';

interface Range {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const RANGES: readonly Range[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ['', ...MONTHS] },
  { min: 0, max: 6, names: DAYS },
];
const DESCRIPTORS = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const DURATION = /^[+-]?(?:0|(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const ZONE_PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

export function validateSchedule(
  schedule: string,
  { hadZone, timeZone }: { readonly hadZone: boolean; readonly timeZone: unknown },
  path: FieldPath,
  findings: Findings,
): void {
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) findings.invalid(path, schedule, problem);
  if (!schedule.includes('TZ')) return;
  if (!hadZone)
    findings.invalid(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  else if (timeZone !== undefined)
    findings.invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
}

function scheduleProblem(schedule: string): string | undefined {
  let spec = schedule;
  const zoned = /^(?:CRON_)?TZ=([^ ]*) (.*)$/s.exec(schedule);
  if (zoned !== null) {
    const zone = zoned[1] ?? '';
    if (!isZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
    spec = (zoned[2] ?? '').trim();
  }
  if (spec.startsWith('@')) return descriptorProblem(spec);
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== RANGES.length)
    return `expected exactly ${RANGES.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, range] of RANGES.entries()) {
    for (const expression of (fields[index] ?? '').split(',')) {
      const problem = expression === '' ? undefined : rangeProblem(expression, range);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(descriptor: string): string | undefined {
  if (DESCRIPTORS.has(descriptor)) return undefined;
  if (!descriptor.startsWith('@every ')) return `unrecognized descriptor: ${descriptor}`;
  const duration = descriptor.slice('@every '.length);
  if (DURATION.test(duration)) return undefined;
  return `failed to parse duration ${descriptor}: time: invalid duration ${JSON.stringify(duration)}`;
}

function rangeProblem(expression: string, range: Range): string | undefined {
  const [bounds = '', step, ...more] = expression.split('/');
  const [low = '', high, ...rest] = bounds.split('-');
  let [start, end]: [number | string, number | string] = [range.min, range.max];
  if (low !== '*' && low !== '?') {
    start = numberOf(low, range);
    if (typeof start === 'string') return start;
    if (rest.length > 0) return `too many hyphens: ${expression}`;
    end = high === undefined ? start : numberOf(high, range);
    if (typeof end === 'string') return end;
  }
  if (more.length > 0) return `too many slashes: ${expression}`;
  let every: number | string = 1;
  if (step !== undefined) {
    every = numberOf(step, { min: 0, max: 0 });
    if (typeof every === 'string') return every;
    if (high === undefined) end = range.max;
  }
  if (start < range.min) return `beginning of range (${start}) below minimum (${range.min}): ${expression}`;
  if (end > range.max) return `end of range (${end}) above maximum (${range.max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return every === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** The number, or what is wrong with it. */
function numberOf(text: string, { names = [] }: Range): number | string {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (named !== -1) return named;
  if (!/^[+-]?\d+$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return zone === '';
  }
}

export function validateTimeZone(zone: unknown, path: FieldPath, findings: Findings): void {
  if (typeof zone !== 'string') return;
  if (zone === '') {
    findings.invalid(path, zone, 'timeZone must be nil or non-empty string');
    return;
  }
  const isStrange = (part: string): boolean =>
    part === '.' || part === '..' || part.startsWith('-') || !ZONE_PART.test(part);
  if (zone.split('/').some(isStrange)) {
    findings.invalid(path, zone, `unknown time zone ${zone}`);
    return;
  }
  if (zone.toLowerCase() === 'local')
    findings.invalid(
      path,
      zone,
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    );
  // The two that are no places but are known everywhere.
  if (zone !== 'Local' && !isZone(zone)) findings.invalid(path, zone, `unknown time zone ${zone}`);
}
