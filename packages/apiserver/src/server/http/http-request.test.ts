import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { certificateOf, splitUrl } from './http-request.ts';

/** A connection whose client showed a certificate with this subject. */
const shown = (subject: object | undefined): TLSSocket =>
  // Nothing else of the socket is asked for.
  ({ getPeerCertificate: () => (subject === undefined ? {} : { subject }) }) as unknown as TLSSocket;

for (const [what, subject, expected] of [
  ['no certificate', undefined, undefined],
  ['one name and one group', { CN: 'jane', O: 'dev' }, { commonName: 'jane', organizations: ['dev'] }],
  [
    'several groups',
    { CN: 'jane', O: ['dev', 'ops'] },
    { commonName: 'jane', organizations: ['dev', 'ops'] },
  ],
  // Go takes the last, and so does whoever approves a request.
  ['several names', { CN: ['admin', 'jane'] }, { commonName: 'jane', organizations: [] }],
  ['no name', { O: 'dev' }, { commonName: '', organizations: ['dev'] }],
] as const)
  test(`who shows ${what}`, () => assert.deepEqual(certificateOf(shown(subject)), expected));

test('what is wrong with a path is told with its beginning only', () => {
  const path = `/%zz${'x'.repeat(1000)}`;
  assert.throws(() => splitUrl(path), {
    message: `the path "${path.slice(0, 256)}" has an invalid percent escape`,
  });
});
