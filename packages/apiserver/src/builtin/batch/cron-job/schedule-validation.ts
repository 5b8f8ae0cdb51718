// The schedule of a cron job.
import { type FieldPath, parseCronSchedule, TimeZone } from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import type { Findings } from '../../shared/findings.ts';

const ZONE_PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

export function validateSchedule(
  schedule: string,
  { hadZone, timeZone }: { readonly hadZone: boolean; readonly timeZone: string | undefined },
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
  try {
    parseCronSchedule(schedule);
    return undefined;
  } catch (error) {
    return toError(error).message;
  }
}

function isZone(zone: string): boolean {
  try {
    return new TimeZone(zone).name !== '';
  } catch {
    return false;
  }
}

export function validateTimeZone(zone: string | undefined, path: FieldPath, findings: Findings): void {
  if (zone === undefined) return;
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
