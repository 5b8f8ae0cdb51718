import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import { SeededRandom } from '../random.ts';
import { issueCertificate } from './certificate.ts';
import { signRequest } from './sign-request.ts';
import { createSigningRequest, parseSigningRequest } from './signing-request.ts';

const issuer = { clock: new FakeClock(), random: new SeededRandom(1) };
const authority = issueCertificate({ commonName: 'ca', usage: 'authority', validDays: 30 }, issuer);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const who = { commonName: 'system:node:n1', organizations: ['system:nodes'] };
const hosts = ['n1.example.com', '10.0.0.7', '::1'];
const DAY_MS = 86_400_000;

/** Made by another program: RSA, with a name of each kind. */
const FOREIGN = `-----BEGIN CERTIFICATE REQUEST-----
MIICzjCCAbYCAQAwKzEMMAoGA1UECgwDZGV2MQwwCgYDVQQKDANvcHMxDTALBgNV
BAMMBGphbmUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDxNhb8Avvv
x/nLEQuUaQceYX5nRLEpVVNk+MHrsRO7g8z/TVcQkN4nzt4xDP89DIE4fZ8kwTSR
3i1s32QFdS4tITB/FJjHgOop9x17galUiApLYkgTAqYXOZbDqIETsQNdOgrFw4k3
6WJW51cGJvO3JEmRcIQHZh0AoQb58eYzIuTQxVZ+CvD/o5SggRdYHw9mhFliY0Zs
9xgzvfu6gTWdDppEv/9ghFBgZjc2qsaENl+gk2TzMnTNZL/c/eSgJfEPuJCH4yVk
6bpPKkXBWIQz6EU/P75GoTgMK3oie13QmF01vtjJHh1kku6QV+cs0k66ojRgaAa3
s1zRMGOV/v+jAgMBAAGgXjBcBgkqhkiG9w0BCQ4xTzBNMD4GA1UdEQQ3MDWCDWEu
ZXhhbXBsZS5jb22BEGphbmVAZXhhbXBsZS5jb22GDHNwaWZmZTovL3gveYcECgEC
AzALBgNVHQ8EBAMCB4AwDQYJKoZIhvcNAQELBQADggEBALv4sve4MTwK7dFiIOfR
Q3h90T57kTh0yZnjQvJiFUjPwgq6YoIIfHfQ4/zuihqPrygOJi9DLwkZDplsedBV
+3vKUPjiZ5Bt9zdbyWj6D3MAQN0vykkzdfqxtbQPDzKTXzVX/xsI3/HeBCJL9SbK
LVUdnF4wcUzqC+JjOvzZvLtUemxbhMabdNOF3P0o6UGExdgVe0GnaE2z0Is/0GGZ
IveWDU4D+Lh7rSV7K+2Ycj9Skha2VnBvhMvvRrKedMO68Gj/isYBW4iFEasR5X9K
OnVxsJaHUn9cWSa+mYrm6FUZXK0znkofcqrYVwwvznQ2d2iCsIe/vbW3yzSRsVLG
ub4=
-----END CERTIFICATE REQUEST-----
`;

describe('a request', () => {
  it('is read as it was written', () => {
    const request = parseSigningRequest(createSigningRequest({ ...who, hosts }, privateKey));
    assert.equal(request.commonName, who.commonName);
    assert.deepEqual(request.organizations, who.organizations);
    assert.deepEqual(request.dnsNames, ['n1.example.com']);
    assert.deepEqual(
      request.ipAddresses.map((address) => [...address].join('.')),
      ['10.0.0.7', '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1'],
    );
    assert.equal(request.isSignatureGood, true);
  });

  it('of another program is read, too', () => {
    const request = parseSigningRequest(FOREIGN);
    assert.equal(request.commonName, 'jane');
    assert.deepEqual(request.organizations, ['dev', 'ops']);
    assert.deepEqual(request.dnsNames, ['a.example.com']);
    assert.deepEqual(request.emailAddresses, ['jane@example.com']);
    assert.deepEqual(request.uris, ['spiffe://x/y']);
    assert.deepEqual(
      request.ipAddresses.map((address) => [...address]),
      [[10, 1, 2, 3]],
    );
    assert.equal(request.isSignatureGood, true);
    assert.equal(request.publicKey.asymmetricKeyType, 'rsa');
  });

  it('that somebody has changed does not pass', () => {
    const lines = createSigningRequest(who, privateKey).split('\n');
    const bytes = Buffer.from(lines.slice(1, -2).join(''), 'base64');
    const at = bytes.indexOf('system:node:n1');
    bytes.write('system:node:n2', at);
    const changed = `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    const request = parseSigningRequest(changed);
    assert.equal(request.commonName, 'system:node:n2');
    assert.equal(request.isSignatureGood, false);
    assert.throws(
      () => signRequest(request, { usages: [], validMs: DAY_MS }, issuer, authority),
      /unable to verify certificate request signature/,
    );
  });

  for (const [what, text] of [
    ['nothing', ''],
    ['a certificate', authority.cert],
    ['noise', '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'],
    ['half of one', createSigningRequest(who, privateKey).replace(/\n(.{30}).*\n/, '\n$1\n')],
  ] as const)
    it(`that is ${what} is refused`, () => assert.throws(() => parseSigningRequest(text)));
});

describe('the certificate for a request', () => {
  const request = parseSigningRequest(createSigningRequest({ ...who, hosts }, privateKey));
  const usages = ['digital signature', 'key encipherment', 'server auth'];

  it("is the authority's, for who asks, to be used as asked", () => {
    const certificate = new X509Certificate(
      signRequest(request, { usages, validMs: DAY_MS }, issuer, authority),
    );
    assert.equal(certificate.verify(new X509Certificate(authority.cert).publicKey), true);
    assert.equal(certificate.checkIssued(new X509Certificate(authority.cert)), true);
    assert.equal(certificate.checkPrivateKey(privateKey), true);
    assert.equal(certificate.subject, 'O=system:nodes\nCN=system:node:n1');
    assert.equal(certificate.ca, false);
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
    assert.equal(certificate.checkHost('n1.example.com'), 'n1.example.com');
    assert.equal(certificate.checkIP('::1'), '::1');
    assert.equal(Date.parse(certificate.validFrom), issuer.clock.now() - 300_000);
    assert.equal(Date.parse(certificate.validTo), issuer.clock.now() + DAY_MS - 300_000);
  });

  it('is not valid for longer than the authority, and short ones are not made shorter', () => {
    const until = (validMs: number): number =>
      Date.parse(new X509Certificate(signRequest(request, { usages, validMs }, issuer, authority)).validTo);
    assert.equal(until(3650 * DAY_MS), Date.parse(new X509Certificate(authority.cert).validTo));
    assert.equal(until(600_000), issuer.clock.now() + 600_000);
    const late = { clock: new FakeClock({ start: issuer.clock.now() + 31 * DAY_MS }), random: issuer.random };
    assert.throws(
      () => signRequest(request, { usages, validMs: DAY_MS }, late, authority),
      /the signer has expired/,
    );
  });

  it('of an authority with another kind of key is good, too', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ca = {
      cert: signRequest(
        parseSigningRequest(FOREIGN),
        { usages: ['cert sign'], validMs: DAY_MS },
        issuer,
        authority,
      ),
      key: rsa.export({ type: 'pkcs8', format: 'pem' }),
    };
    const made = new X509Certificate(signRequest(request, { usages, validMs: DAY_MS }, issuer, ca));
    assert.equal(made.verify(createPublicKey(rsa)), true);
    assert.match(made.issuer, /CN=jane/);
  });
});
