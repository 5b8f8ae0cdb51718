// Strangers' requests, compared with another reader, @peculiar/x509, and with what Node reads in the certificate that
// comes of them. See docs/decisions/0012-certificate-requests.md for where the two readers differ, and why.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509';
import * as fc from 'fast-check';
import { FakeClock } from '../fake-clock.ts';
import { SeededRandom } from '../random.ts';
import { hostName, issueCertificate } from './certificate.ts';
import { integer, sequence } from './der.ts';
import { elements } from './der-reader.ts';
import { SigningRequestError } from './errors.ts';
import { type Damage, damage, infoOf, type Parts, parts, signedRequest, toPem } from './request-testing.ts';
import { signRequest } from './sign-request.ts';
import { parseSigningRequest, type SigningRequest } from './signing-request.ts';

const PROPER_RUNS = 200;
const DAMAGED_RUNS = 1000;
/** About one in sixteen is still a request after the damage; no seed comes near this. */
const LEAST_OF_EACH = 20;

const issuer = { clock: new FakeClock(), random: new SeededRandom(1) };
const authority = issueCertificate({ commonName: 'ca', usage: 'authority', validDays: 30 }, issuer);

/** What both readers say of a request. */
interface Reading {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dns: readonly string[];
  readonly email: readonly string[];
  readonly url: readonly string[];
  readonly ip: readonly string[];
  readonly key: string;
}

const hex = (bytes: Uint8Array | ArrayBuffer): string => Buffer.from(new Uint8Array(bytes)).toString('hex');

function ours(request: Buffer): { readonly read: SigningRequest; readonly reading: Reading } | undefined {
  try {
    const read = parseSigningRequest(toPem(request));
    return {
      read,
      reading: {
        commonName: read.commonName,
        organizations: read.organizations,
        dns: read.dnsNames,
        email: read.emailAddresses,
        url: read.uris,
        ip: read.ipAddresses.map(hex),
        key: hex(read.publicKey.export({ type: 'spki', format: 'der' })),
      },
    };
  } catch (error) {
    if (!(error instanceof SigningRequestError)) throw error;
    return undefined;
  }
}

/** The library does not know NumericString, which it gives as the hexadecimal digits of its DER. */
const decodeNumeric = (text: string): string =>
  /^12[0-9a-f]{2}(?:3[0-9]|20)+$/.test(text) ? Buffer.from(text, 'hex').subarray(2).toString('latin1') : text;

async function theirs(
  request: Buffer,
): Promise<{ readonly reading: Reading; readonly isSignatureGood: boolean } | undefined> {
  try {
    const read = new Pkcs10CertificateRequest(request);
    const extension = read.getExtension('2.5.29.17');
    const items = extension instanceof SubjectAlternativeNameExtension ? extension.names.items : [];
    const named = (type: string): string[] =>
      items.flatMap((item) => (item.type === type ? [item.value] : []));
    return {
      reading: {
        commonName: decodeNumeric(read.subjectName.getField('2.5.4.3').at(-1) ?? ''),
        organizations: read.subjectName.getField('2.5.4.10').map(decodeNumeric),
        dns: named('dns'),
        email: named('email'),
        url: named('url'),
        ip: named('ip').map((text) => hex(hostName(text).subarray(2))),
        key: hex(read.publicKey.rawData),
      },
      isSignatureGood: await read.verify().catch(() => false),
    };
  } catch {
    return undefined;
  }
}

/** Whether the certificate names whom the request was read as, for those who read it with OpenSSL. */
function checkCertificate(read: SigningRequest): void {
  const policy = { usages: ['client auth'], validMs: 3_600_000 };
  const pem = signRequest(read, policy, issuer, authority);
  const certificate = new X509Certificate(pem);
  const subject = certificate.toLegacyObject().subject as { readonly CN?: unknown; readonly O?: unknown };
  assert.deepEqual(subject.CN ?? '', read.commonName);
  assert.deepEqual([subject.O ?? []].flat(), read.organizations);
  assert.equal(certificate.publicKey.equals(read.publicKey), true);
}

const request = (given: Parts): Buffer => signedRequest(infoOf(given), given.key);

test('a proper request is read alike, and its certificate names whom it was read as', async () => {
  await fc.assert(
    fc.asyncProperty(parts, async (given) => {
      const mine = ours(request(given));
      const other = await theirs(request(given));
      assert.ok(mine !== undefined && other !== undefined, 'one refuses it');
      assert.deepEqual(mine.reading, other.reading);
      assert.equal(mine.read.isSignatureGood, true);
      assert.equal(other.isSignatureGood, true);
      checkCertificate(mine.read);
    }),
    { numRuns: PROPER_RUNS },
  );
});

/** Whether the request has something that we do not look into, and that the library does. */
function hasMoreThanWeRead(bytes: Buffer): boolean {
  const [attributes] = elements(elements(elements(bytes)[0]?.content ?? bytes)[0]?.content ?? bytes).slice(3);
  return elements(attributes?.content ?? bytes).some(({ content }) => {
    const text = hex(content);
    return !text.startsWith('06092a864886f70d01090e') || !text.includes('0603551d11') || /a[0345]/.test(text);
  });
}

/** Whether the signature is a sequence of two positive numbers, as short as can be. */
function isDerSignature(bytes: Buffer): boolean {
  const [, , signature] = elements(elements(bytes)[0]?.content ?? bytes);
  const content = Buffer.from(signature?.content ?? []).subarray(1);
  try {
    const [r, s] = elements(elements(content)[0]?.content ?? content);
    return sequence(integer(r?.content ?? bytes), integer(s?.content ?? bytes)).equals(content);
  } catch {
    return false;
  }
}

async function compare(
  bytes: Buffer,
  seen: { both: number; neither: number; onlyTheirs: number },
): Promise<void> {
  const mine = ours(bytes);
  const other = await theirs(bytes);
  if (mine === undefined) {
    if (other === undefined) seen.neither++;
    else seen.onlyTheirs++;
    return;
  }
  if (other === undefined) {
    assert.ok(hasMoreThanWeRead(bytes), 'the library refuses what we take');
    return;
  }
  seen.both++;
  assert.deepEqual(mine.reading, other.reading);
  // The library reads signatures of elliptic curves that are not DER; OpenSSL and Go do not.
  if (!mine.read.isSignatureGood && other.isSignatureGood) assert.equal(isDerSignature(bytes), false);
  else assert.equal(mine.read.isSignatureGood, other.isSignatureGood);
  if (mine.read.isSignatureGood) checkCertificate(mine.read);
}

for (const [what, make] of [
  ['after it was signed', (given: Parts, change: Damage) => change(request(given))],
  ['before it was signed', (given: Parts, change: Damage) => signedRequest(change(infoOf(given)), given.key)],
] as const)
  test(`a request that was changed ${what} is refused, or read as the library reads it`, async () => {
    const seen = { both: 0, neither: 0, onlyTheirs: 0 };
    await fc.assert(
      fc.asyncProperty(parts, damage, (given, change) => compare(make(given, change), seen)),
      { numRuns: DAMAGED_RUNS },
    );
    assert.ok(seen.both >= LEAST_OF_EACH && seen.neither >= LEAST_OF_EACH, JSON.stringify(seen));
  });
