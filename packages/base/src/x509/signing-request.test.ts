import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import { SeededRandom } from '../random.ts';
import { issueCertificate } from './certificate.ts';
import { bits, der, integer, objectIdentifier, sequence } from './der.ts';
import { elements } from './der-reader.ts';
import { SigningRequestError } from './errors.ts';
import { infoOf, KEYS, type Name, type Parts, signedRequest, toPem } from './request-testing.ts';
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

  /** With these names, the third of which is the type of string. */
  const named = (subject: readonly (readonly [id: string, text: string, tag?: number])[]): string => {
    const parts = subject.map(([id, text, tag = 0x0c]) => [{ id, tag, text }]);
    const given: Parts = { subject: parts, names: [], isCritical: false, hasPassword: false, key: 'P-256' };
    return toPem(signedRequest(infoOf(given), given.key));
  };
  const CN = '2.5.4.3';
  const O = '2.5.4.10';

  it('says in every type of string the same, and so does its certificate', () => {
    for (const tag of [0x0c, 0x13, 0x14, 0x16, 0x1e]) {
      const request = parseSigningRequest(named([[O, 'system:masters', tag]]));
      assert.deepEqual(request.organizations, ['system:masters'], String(tag));
      const made = signRequest(request, { usages: [], validMs: DAY_MS }, issuer, authority);
      assert.equal(new X509Certificate(made).subject, 'O=system:masters');
    }
  });

  it('with two common names is for the last, and so is its certificate', () => {
    const request = parseSigningRequest(
      named([
        [CN, 'admin'],
        [O, 'system:nodes'],
        [CN, 'system:node:n1'],
      ]),
    );
    assert.equal(request.commonName, 'system:node:n1');
    const made = signRequest(request, { usages: [], validMs: DAY_MS }, issuer, authority);
    assert.equal(new X509Certificate(made).subject, 'O=system:nodes\nCN=system:node:n1');
  });

  it('has its key and its names in one form only', () => {
    const proper = Buffer.from(
      createSigningRequest(who, privateKey).split('\n').slice(1, -2).join(''),
      'base64',
    );
    const [outer] = elements(proper);
    assert.ok(outer !== undefined);
    for (const [what, bytes, problem] of [
      ['something behind it', Buffer.concat([proper, Buffer.from([5, 0])]), /something follows/],
      [
        'a long length',
        Buffer.concat([Buffer.from([0x30, 0x83, 0, 0, 0xff]), outer.content]),
        /more bytes than needed/,
      ],
      ['no length', Buffer.concat([Buffer.from([0x30, 0x80]), outer.content, Buffer.alloc(2)]), /not said/],
      ['a length of 4 GB', Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), /ends too soon/],
      ['a length of five bytes', Buffer.from([0x30, 0x85, 1, 1, 1, 1, 1]), /more than four bytes/],
      ['a long tag', Buffer.from([0x3f, 0x81, 0]), /more than one byte/],
      [
        'many levels',
        Array.from({ length: 40 }).reduce<Buffer>((inner) => sequence(inner), Buffer.alloc(0)),
        /32 deep/,
      ],
      ['128 KiB', sequence(Buffer.alloc(128 * 1024)), /longer than 131072 bytes/],
    ] as const)
      assert.throws(
        () => parseSigningRequest(toPem(bytes)),
        (error) => error instanceof SigningRequestError && problem.test(error.message),
        what,
      );
    for (let end = 0; end < proper.length; end++)
      assert.throws(() => parseSigningRequest(toPem(proper.subarray(0, end))), SigningRequestError);
  });

  it('is the first block, and its text is base64', () => {
    const good = createSigningRequest(who, privateKey);
    assert.equal(parseSigningRequest(`what openssl says of it\n${good}`).commonName, who.commonName);
    assert.throws(() => parseSigningRequest(authority.cert + good), /PEM block type must be/);
    assert.throws(() => parseSigningRequest(good.replace('MI', 'M=')), /not base64/);
  });

  it('of a key that is weak, or of another type than the signature, is not signed', () => {
    const { key } = KEYS['P-256'];
    const weak = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey;
    const request = (subjectKey: KeyObject, signer: KeyObject, algorithm: string): Buffer => {
      const info = sequence(
        integer(0),
        sequence(),
        createPublicKey(subjectKey).export({ type: 'spki', format: 'der' }),
        der(0xa0),
      );
      return sequence(info, sequence(objectIdentifier(algorithm)), bits(sign('sha256', info, signer)));
    };
    const isGood = (bytes: Buffer): boolean => parseSigningRequest(toPem(bytes)).isSignatureGood;
    assert.equal(isGood(request(key, key, '1.2.840.10045.4.3.2')), true);
    assert.equal(isGood(request(weak, weak, '1.2.840.113549.1.1.11')), false);
    assert.equal(isGood(request(key, key, '1.2.840.113549.1.1.11')), false);
    assert.equal(isGood(request(key, key, '1.2.3')), false);
    const compressed = request(key, key, '1.2.840.10045.4.3.2');
    const point = compressed.indexOf(Buffer.from([0x03, 0x42, 0x00, 0x04])) + 3;
    compressed[point] = 6 + ((compressed[point + 64] ?? 0) & 1);
    assert.throws(() => isGood(compressed), /the public key is not in DER/);
    const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
    assert.throws(() => isGood(request(other, other, '1.2.840.10045.4.3.2')), /use RSA, P-256/);
  });

  it('that asks for an extension twice, or for a name that is none, is refused', () => {
    const names = (...list: readonly Name[]): string => {
      const given: Parts = { subject: [], names: list, isCritical: true, hasPassword: true, key: 'P-256' };
      return toPem(signedRequest(infoOf(given), given.key));
    };
    const dns = { tag: 0x82, bytes: Buffer.from('a.example.com') };
    assert.deepEqual(parseSigningRequest(names(dns)).dnsNames, ['a.example.com']);
    for (const [tag, bytes, problem] of [
      [0x82, Buffer.from('ä'), /DNS name is not ASCII/],
      [0x87, Buffer.alloc(5), /5 bytes, not 4 or 16/],
      [0x89, Buffer.alloc(1), /which is none/],
    ] as const)
      assert.throws(() => parseSigningRequest(names(dns, { tag, bytes })), problem);
    const info = infoOf({ subject: [], names: [dns], isCritical: false, hasPassword: false, key: 'P-256' });
    const [version, subject, key, attributes] = elements(elements(info)[0]?.content ?? info).map(
      ({ whole }) => whole,
    );
    assert.ok(version && subject && key && attributes);
    const [one] = elements(elements(attributes)[0]?.content ?? attributes);
    assert.ok(one !== undefined);
    const twice = sequence(version, subject, key, der(0xa0, one.whole, one.whole));
    assert.throws(() => parseSigningRequest(toPem(signedRequest(twice, 'P-256'))), /2\.5\.29\.17 twice/);
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
