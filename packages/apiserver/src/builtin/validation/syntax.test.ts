// Small languages within fields: addresses, schedules, lists of indexes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath, fieldErrorMessage } from '@windlass/apimachinery';
import {
  canonicalIp,
  containsBlock,
  familyOf,
  parseBlock,
  validateBlock,
  validateEndpointIp,
  validateIp,
} from './addresses.ts';
import { validateSchedule, validateTimeZone } from './cron.ts';
import { Findings } from './findings.ts';
import { indexesProblem } from './indexes.ts';

const PATH = FieldPath.of('f');

/** What a check finds, without the field and the value. */
function found(check: (findings: Findings) => void): string[] {
  const findings = new Findings();
  check(findings);
  return findings.errors.map((error) => fieldErrorMessage(error).replace(/^f: Invalid value: "[^"]*": /, ''));
}

test('addresses are told apart, however they are written', () => {
  const rows: [string, 4 | 6 | undefined][] = [
    ['10.0.0.1', 4],
    ['010.0.0.1', 4],
    ['::1', 6],
    ['::ffff:1.2.3.4', 6],
    ['fe80::1%eth0', undefined],
    ['1.2.3', undefined],
    ['', undefined],
  ];
  for (const [text, family] of rows) assert.equal(familyOf(text), family, text);
});

test('IPv6 addresses have one short form', () => {
  const rows = [
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::', '::'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['::ffff:1.2.3.4', '::ffff:102:304'],
  ] as const;
  for (const [text, canonical] of rows) assert.equal(canonicalIp(text), canonical);
});

test('addresses that are read but must not be written', () => {
  assert.deepEqual(
    found((findings) => validateIp(findings, PATH, '010.0.0.1')),
    ['must not have leading 0s'],
  );
  assert.deepEqual(
    found((findings) => validateIp(findings, PATH, '::ffff:1.2.3.4')),
    ['must not be an IPv4-mapped IPv6 address'],
  );
  assert.deepEqual(
    found((findings) => validateIp(findings, PATH, 'x')),
    ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  );
  assert.deepEqual(
    found((findings) => validateEndpointIp(findings, PATH, '169.254.1.1')),
    ['may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  );
  assert.deepEqual(
    found((findings) => validateEndpointIp(findings, PATH, '::1')),
    ['may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  );
});

test('blocks of addresses', () => {
  assert.deepEqual(
    found((findings) => validateBlock(findings, PATH, '10.0.0.1/8')),
    ['must not have bits set beyond the prefix length'],
  );
  assert.deepEqual(
    found((findings) => validateBlock(findings, PATH, '10.0.0.0/08')),
    ['must not have leading 0s in IP or prefix length'],
  );
  assert.deepEqual(
    found((findings) => validateBlock(findings, PATH, '10.0.0.0/33')),
    ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  );
  assert.deepEqual(
    found((findings) => validateBlock(findings, PATH, '2001:db8::/64')),
    [],
  );
  const [outer, inner, other] = ['10.0.0.0/8', '10.1.0.0/16', '11.0.0.0/16'].map(parseBlock);
  assert.ok(outer !== undefined && inner !== undefined && other !== undefined);
  assert.ok(containsBlock(outer, inner));
  assert.ok(!containsBlock(outer, other));
  assert.ok(!containsBlock(inner, outer) || inner.prefix < outer.prefix);
});

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

test('lists of indexes are counted, or refused', () => {
  assert.equal(indexesProblem('', 5), 0);
  assert.equal(indexesProblem('0,2-4', 5), 4);
  assert.equal(indexesProblem('0,5', 5), 'too large index: "5"');
  assert.equal(indexesProblem('2-1', 5), 'non-increasing order, previous: 2, current: 1');
  assert.equal(indexesProblem('3,1', 5), 'non-increasing order, previous: 3, current: 1');
  assert.equal(indexesProblem('a', 5), 'cannot convert string to integer for index: "a"');
});
