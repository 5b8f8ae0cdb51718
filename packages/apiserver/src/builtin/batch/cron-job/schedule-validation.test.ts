import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath, fieldErrorMessage } from '@windlass/apimachinery';
import { Findings } from '../../shared/findings.ts';
import { validateSchedule, validateTimeZone } from './schedule-validation.ts';

const PATH = FieldPath.of('f');

/** What a check finds, without the field and the value. */
function found(check: (findings: Findings) => void): string[] {
  const findings = new Findings();
  check(findings);
  return findings.errors.map((error) => fieldErrorMessage(error).replace(/^f: Invalid value: "[^"]*": /, ''));
}

test('schedules', () => {
  const rows: [schedule: string, problems: string[]][] = [
    ['*/5 0-3 * JAN sun', []],
    ['@hourly', []],
    ['@every 1h30m', []],
    ['? ? ? ? ?', []],
    ['* * * *', ['expected exactly 5 fields, found 4: [* * * *]']],
    ['61 * * * *', ['end of range (61) above maximum (59): 61']],
    ['5-1 * * * *', ['beginning of range (5) beyond end of range (1): 5-1']],
    ['*/0 * * * *', ['step of range should be a positive number: */0']],
    ['1-2-3 * * * *', ['too many hyphens: 1-2-3']],
    ['* * 0 * *', ['beginning of range (0) below minimum (1): 0']],
    ['x * * * *', ['failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax']],
    ['@never', ['unrecognized descriptor: @never']],
    ['TZ=UTC * * * * *', ['cannot use TZ or CRON_TZ in schedule, use timeZone field instead']],
  ];
  for (const [schedule, problems] of rows) {
    const given = { hadZone: false, timeZone: undefined };
    assert.deepEqual(
      found((findings) => validateSchedule(schedule, given, PATH, findings)),
      problems,
      schedule,
    );
  }
});

test('time zones', () => {
  assert.deepEqual(
    found((findings) => validateTimeZone('Europe/Berlin', PATH, findings)),
    [],
  );
  assert.deepEqual(
    found((findings) => validateTimeZone('Mars/One', PATH, findings)),
    ['unknown time zone Mars/One'],
  );
  assert.deepEqual(
    found((findings) => validateTimeZone('../etc', PATH, findings)),
    ['unknown time zone ../etc'],
  );
  assert.deepEqual(
    found((findings) => validateTimeZone('Local', PATH, findings)),
    ['timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'],
  );
});
