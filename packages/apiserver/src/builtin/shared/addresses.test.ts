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
import { Findings } from './findings.ts';

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
