import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authenticationData, type TrustedAuthorities } from './authentication-data.ts';

const pem = (text: string): string => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
const TRUSTED: TrustedAuthorities = {
  clientCa: pem('client'),
  frontProxy: { ca: pem('proxy'), allowedNames: ['front-proxy-client'] },
};
const DATA = {
  'client-ca-file': pem('client'),
  'requestheader-allowed-names': '["front-proxy-client"]',
  'requestheader-client-ca-file': pem('proxy'),
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-uid-headers': '["X-Remote-Uid"]',
  'requestheader-username-headers': '["X-Remote-User"]',
};

const rows: readonly [string, Record<string, string>, TrustedAuthorities, Record<string, string>][] = [
  ['nothing there', {}, TRUSTED, DATA],
  ['all there', DATA, TRUSTED, DATA],
  ['no authorities', {}, { clientCa: undefined, frontProxy: undefined }, {}],
  [
    'another server has another authority',
    { 'client-ca-file': pem('other') },
    { clientCa: pem('client'), frontProxy: undefined },
    { 'client-ca-file': pem('other') + pem('client') },
  ],
  [
    'another proxy, and a text that is no list',
    { 'requestheader-allowed-names': '["other"]', 'requestheader-group-headers': 'X-Remote-Group' },
    TRUSTED,
    { ...DATA, 'requestheader-allowed-names': '["other","front-proxy-client"]' },
  ],
  ['what somebody added stays', { note: 'ours' }, TRUSTED, { ...DATA, note: 'ours' }],
];

for (const [name, existing, trusted, expected] of rows)
  test(`authentication data: ${name}`, () =>
    assert.deepEqual(authenticationData(existing, trusted), expected));
