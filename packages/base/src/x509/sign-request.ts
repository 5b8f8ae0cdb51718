import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import type { Issuer, KeyPair } from './certificate.ts';
import { subjectOf } from './certificate.ts';
import { bits, bool, explicit, implicit, integer, objectIdentifier, octets, sequence, time } from './der.ts';
import type { SigningRequest } from './signing-request.ts';

/** What a key may be used for, and the number of its bit. */
export const KEY_USAGES: Readonly<Record<string, number>> = Object.freeze({
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
});

/** The object identifiers of extended key usages, by their names in a CertificateSigningRequest. */
export const EXTENDED_KEY_USAGES: Readonly<Record<string, string>> = Object.freeze({
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
});

/** What a signed certificate may be used for, and how long. */
export interface SigningPolicy {
  /** Of `KEY_USAGES` and `EXTENDED_KEY_USAGES`. */
  readonly usages: readonly string[];
  readonly validMs: number;
}

const SERIAL_BYTES = 16;
/** Clocks of those who check may be behind. */
const BACKDATE_MS = 5 * 60_000;
/** What is valid for less is not made shorter by that. */
const SHORT_MS = 8 * 3_600_000;

/**
 * The certificate for a request, never valid for longer than the authority itself.
 * @throws Error when the authority's time is over, or who asks does not have the key
 */
export function signRequest(
  request: SigningRequest,
  { usages, validMs }: SigningPolicy,
  { clock, random }: Issuer,
  authority: KeyPair,
): string {
  if (!request.isSignatureGood) throw new Error('unable to verify certificate request signature');
  const now = clock.now();
  const authorityEnds = Date.parse(new X509Certificate(authority.cert).validTo);
  if (now >= authorityEnds)
    throw new Error(`the signer has expired: NotAfter=${new Date(authorityEnds).toISOString()}`);
  const notAfter = Math.min(authorityEnds, now + (validMs < SHORT_MS ? validMs : validMs - BACKDATE_MS));
  const key = createPrivateKey(authority.key);
  const { algorithm, hash } = signatureOf(key.asymmetricKeyType);
  const body = sequence(
    explicit(0, integer(2)),
    integer(random.bytes(SERIAL_BYTES)),
    algorithm,
    subjectOf(authority.cert),
    sequence(time(now - BACKDATE_MS), time(notAfter)),
    request.subject,
    request.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensionsOf(request, usages))),
  );
  const lines = sequence(body, algorithm, bits(sign(hash, body, key)))
    .toString('base64')
    .match(/.{1,64}/g);
  return `-----BEGIN CERTIFICATE-----\n${(lines ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
}

const NULL = Buffer.from([0x05, 0x00]);

function signatureOf(keyType: string | undefined): {
  readonly algorithm: Buffer;
  readonly hash: string | null;
} {
  switch (keyType) {
    case 'ec':
      return { algorithm: sequence(objectIdentifier('1.2.840.10045.4.3.2')), hash: 'sha256' };
    case 'rsa':
      return { algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.11'), NULL), hash: 'sha256' };
    case 'ed25519':
      return { algorithm: sequence(objectIdentifier('1.3.101.112')), hash: null };
    default:
      throw new Error(`the authority has a key of type ${keyType}; use ec, rsa or ed25519`);
  }
}

function extensionsOf(request: SigningRequest, usages: readonly string[]): Buffer[] {
  const extension = (oid: string, isCritical: boolean, value: Buffer): Buffer =>
    sequence(objectIdentifier(oid), ...(isCritical ? [bool(true)] : []), octets(value));
  const numbers = usages.flatMap((usage) => KEY_USAGES[usage] ?? []);
  const extended = [...new Set(usages.flatMap((usage) => EXTENDED_KEY_USAGES[usage] ?? []))];
  const names = [
    ...request.emailAddresses.map((name) => implicit(1, Buffer.from(name, 'utf8'))),
    ...request.dnsNames.map((name) => implicit(2, Buffer.from(name, 'utf8'))),
    ...request.uris.map((name) => implicit(6, Buffer.from(name, 'utf8'))),
    ...request.ipAddresses.map((address) => implicit(7, address)),
  ];
  return [
    ...(numbers.length > 0 ? [extension('2.5.29.15', true, usageBits(numbers))] : []),
    ...(extended.length > 0
      ? [extension('2.5.29.37', false, sequence(...extended.map(objectIdentifier)))]
      : []),
    extension('2.5.29.19', true, sequence()),
    ...(names.length > 0 ? [extension('2.5.29.17', false, sequence(...names))] : []),
  ];
}

/** The first bit is the highest; zeros at the end are left out. */
function usageBits(numbers: readonly number[]): Buffer {
  const last = Math.max(...numbers);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const number of numbers) bytes[number >> 3] = (bytes[number >> 3] ?? 0) | (0x80 >> (number & 7));
  return bits(bytes, 7 - (last % 8));
}
