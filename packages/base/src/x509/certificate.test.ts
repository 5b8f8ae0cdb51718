import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import { SeededRandom } from '../random.ts';
import { issueCertificate } from './certificate.ts';

const issuer = { clock: new FakeClock(), random: new SeededRandom(1) };
const authority = issueCertificate(
  { commonName: 'windlass-ca', usage: 'authority', validDays: 3650 },
  issuer,
);

test('an authority signs itself and others', () => {
  const ca = new X509Certificate(authority.cert);
  assert.equal(ca.ca, true);
  assert.equal(ca.verify(ca.publicKey), true);
  const leaf = new X509Certificate(
    issueCertificate(
      { commonName: 'api', usage: 'server', hosts: ['localhost', '127.0.0.1', '::1'], validDays: 365 },
      issuer,
      authority,
    ).cert,
  );
  assert.equal(leaf.verify(ca.publicKey), true);
  assert.equal(leaf.checkIssued(ca), true);
  assert.equal(leaf.ca, false);
  assert.equal(leaf.checkHost('localhost'), 'localhost');
  assert.equal(leaf.checkIP('127.0.0.1'), '127.0.0.1');
  assert.equal(leaf.checkIP('::1'), '::1');
  assert.equal(leaf.checkHost('example.com'), undefined);
  assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1']);
});

test('a client certificate names a user and its groups', () => {
  const { cert, key } = issueCertificate(
    {
      commonName: 'kubernetes-admin',
      organizations: ['system:masters', 'ops'],
      usage: 'client',
      validDays: 1,
    },
    issuer,
    authority,
  );
  const certificate = new X509Certificate(cert);
  assert.equal(certificate.subject, 'O=system:masters\nO=ops\nCN=kubernetes-admin');
  assert.equal(certificate.checkPrivateKey(createPrivateKey(key)), true);
  assert.ok(new Date(certificate.validTo).getTime() - issuer.clock.now() < 86_400_000);
});
