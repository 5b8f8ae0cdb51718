import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import {
  type AlternativeNames,
  ATTRIBUTES,
  EXTENSION_REQUEST,
  readAlternativeNames,
  SUBJECT_ALT_NAME,
} from './alternative-names.ts';
import { type CertificateRequest, hostName, nameOf } from './certificate.ts';
import { bits, der, integer, objectIdentifier, octets, sequence, set } from './der.ts';
import {
  BIT_STRING,
  type Element,
  elements,
  expectTag,
  INTEGER,
  partsOf,
  readObjectIdentifier,
  SEQUENCE,
  wellFormedElements,
} from './der-reader.ts';
import { SigningRequestError } from './errors.ts';
import { readSubject } from './subject.ts';

/** What somebody asks an authority to certify (PKCS #10). Node reads certificates, but not requests. */
export interface SigningRequest extends AlternativeNames {
  /** The last one of the subject. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** In DER, written from what was read, for the certificate. */
  readonly subject: Uint8Array;
  readonly publicKey: KeyObject;
  /** Whether who asks has the key, and signed with an algorithm that is good enough today. */
  readonly isSignatureGood: boolean;
}

const BEGIN = '-----BEGIN ';
const TYPE = 'CERTIFICATE REQUEST-----';
const END = '\n-----END CERTIFICATE REQUEST-----';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Real ones have a few kilobytes; 128 KiB leaves room for thousands of names. */
const MAX_BYTES = 128 * 1024;
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

interface Algorithm {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  readonly hash: string | null;
}

/** Signatures that are good enough today. */
const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map([
  ['1.2.840.113549.1.1.11', { keyType: 'rsa', hash: 'sha256' }],
  ['1.2.840.113549.1.1.12', { keyType: 'rsa', hash: 'sha384' }],
  ['1.2.840.113549.1.1.13', { keyType: 'rsa', hash: 'sha512' }],
  [ECDSA_WITH_SHA256, { keyType: 'ec', hash: 'sha256' }],
  ['1.2.840.10045.4.3.3', { keyType: 'ec', hash: 'sha384' }],
  ['1.2.840.10045.4.3.4', { keyType: 'ec', hash: 'sha512' }],
  ['1.3.101.112', { keyType: 'ed25519', hash: null }],
]);
const CURVES: ReadonlySet<string> = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']);
/** The first byte of a point on a curve that has both coordinates, the only form that Go takes. */
const UNCOMPRESSED = 4;
/** Shorter keys can be broken. */
const MIN_RSA_BITS = 1024;

/** A request for a key of type ec, in PEM: what one sends to an authority. */
export function createSigningRequest(
  { hosts = [], ...who }: Pick<CertificateRequest, 'commonName' | 'organizations' | 'hosts'>,
  key: KeyObject,
): string {
  const names = sequence(objectIdentifier(SUBJECT_ALT_NAME), octets(sequence(...hosts.map(hostName))));
  const attribute = sequence(objectIdentifier(EXTENSION_REQUEST), set(sequence(names)));
  const info = sequence(
    integer(0),
    nameOf(who),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(ATTRIBUTES, ...(hosts.length === 0 ? [] : [attribute])),
  );
  const algorithm = sequence(objectIdentifier(ECDSA_WITH_SHA256));
  const lines = sequence(info, algorithm, bits(sign('sha256', info, key)))
    .toString('base64')
    .match(/.{1,64}/g);
  return `-----BEGIN CERTIFICATE REQUEST-----\n${(lines ?? []).join('\n')}\n-----END CERTIFICATE REQUEST-----\n`;
}

/**
 * Reads strictly: whatever has two readings is refused, for somebody may have checked the other one. It takes what Go
 * takes, but for requests that are not proper DER.
 *
 * @param pem text whose first PEM block is a CERTIFICATE REQUEST
 * @throws SigningRequestError that says what is wrong with it
 */
export function parseSigningRequest(pem: string): SigningRequest {
  const [request, ...others] = wellFormedElements(decodePem(pem));
  if (others.length > 0) throw new SigningRequestError('something follows the certificate request');
  const [info, algorithm, signature] = partsOf(request, SEQUENCE, 'the request', [3, 3]);
  const [version, name, key, attributes] = partsOf(info, SEQUENCE, 'the part that is signed', [4, 4]);
  // It is 0, but some programs write other small numbers.
  if (expectTag(version, INTEGER, 'the version').content.length !== 1)
    throw new SigningRequestError('the version of the certificate request is not 0');
  const subject = readSubject(name);
  const publicKey = readKey(expectTag(key, SEQUENCE, 'the public key'));
  return {
    commonName: subject.commonName,
    organizations: subject.organizations,
    ...readAlternativeNames(attributes),
    subject: subject.der,
    publicKey,
    isSignatureGood: isSignedBy(publicKey, expectTag(info, SEQUENCE, 'the request'), algorithm, signature),
  };
}

/** Only the first block counts, so that nobody hides a request behind another. */
function decodePem(pem: string): Uint8Array {
  const begin = pem.startsWith(BEGIN) ? 0 : pem.indexOf(`\n${BEGIN}`) + 1;
  const start = begin + BEGIN.length + TYPE.length;
  const end = pem.indexOf(END, start - 1);
  if (!pem.startsWith(BEGIN + TYPE, begin) || end === -1)
    throw new SigningRequestError('PEM block type must be CERTIFICATE REQUEST');
  if (end - start > MAX_BYTES * 2)
    throw new SigningRequestError(`the certificate request is longer than ${MAX_BYTES} bytes`);
  const base64 = pem.slice(start, end).replace(/[ \t\r\n]+/g, '');
  if (!BASE64.test(base64)) throw new SigningRequestError('the PEM block is not base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_BYTES)
    throw new SigningRequestError(`the certificate request is longer than ${MAX_BYTES} bytes`);
  return bytes;
}

function readKey({ whole, content }: Element): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.from(whole), format: 'der', type: 'spki' });
  } catch (error) {
    throw new SigningRequestError('the public key is none that Node knows', error);
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const isKnown =
    type === 'rsa' || type === 'ed25519' || (type === 'ec' && CURVES.has(details?.namedCurve ?? ''));
  if (!isKnown)
    throw new SigningRequestError(
      `the public key is of the type ${type} ${details?.namedCurve ?? ''}; use RSA, P-256, P-384, P-521 or Ed25519`,
    );
  // OpenSSL also reads other encodings of a key and of a point; a certificate gets the proper one.
  const point = elements(content)[1]?.content[1];
  if (!key.export({ type: 'spki', format: 'der' }).equals(whole) || (type === 'ec' && point !== UNCOMPRESSED))
    throw new SigningRequestError('the public key is not in DER');
  return key;
}

function isSignedBy(
  publicKey: KeyObject,
  info: Element,
  algorithm: Element | undefined,
  signature: Element | undefined,
): boolean {
  const [id] = partsOf(algorithm, SEQUENCE, 'the algorithm of the signature', [1, 2]);
  const known = ALGORITHMS.get(readObjectIdentifier(id));
  const { content } = expectTag(signature, BIT_STRING, 'the signature');
  // The first byte says how many of the last bits do not count.
  if (content[0] !== 0) throw new SigningRequestError('the signature is not a whole number of bytes');
  if (known === undefined || known.keyType !== publicKey.asymmetricKeyType) return false;
  const { modulusLength = MIN_RSA_BITS } = publicKey.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_RSA_BITS) return false;
  return verify(known.hash, info.whole, publicKey, content.subarray(1));
}
