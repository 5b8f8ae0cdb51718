import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type CertificateRequest, hostName, nameOf } from './certificate.ts';
import { bits, der, integer, objectIdentifier, octets, sequence, set } from './der.ts';
import { type Element, elements, readObjectIdentifier } from './der-reader.ts';

/** What somebody asks an authority to certify (PKCS #10). Node reads certificates, but not requests. */
export interface SigningRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly Uint8Array[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** As it stands in the request. */
  readonly subject: Uint8Array;
  readonly publicKey: KeyObject;
  /** Whether who asks has the key. */
  readonly isSignatureGood: boolean;
}

const PEM = /-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----/;
const SEQUENCE = 0x30;
const ATTRIBUTES = 0xa0;
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const SUBJECT_ALT_NAME = '2.5.29.17';
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
/** Signatures that are good enough today, and their hashes. */
const HASHES: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  [ECDSA_WITH_SHA256]: 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
};

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
 * @param pem one block CERTIFICATE REQUEST
 * @throws Error that says what is wrong with it
 */
export function parseSigningRequest(pem: string): SigningRequest {
  const base64 = PEM.exec(pem)?.[1];
  if (base64 === undefined) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const [request] = elements(Buffer.from(base64, 'base64'));
  const [info, algorithm, signature] = childrenOf(request);
  const [, subject, key, attributes] = childrenOf(info);
  if (subject === undefined || key === undefined || info === undefined)
    throw new Error('the certificate request is not complete');
  const publicKey = createPublicKey({ key: Buffer.from(key.whole), format: 'der', type: 'spki' });
  return {
    ...readSubject(subject),
    ...readNames(attributes),
    subject: subject.whole,
    publicKey,
    isSignatureGood: isSignedBy(publicKey, info, algorithm, signature),
  };
}

function childrenOf(element: Element | undefined): Element[] {
  if (element?.tag !== SEQUENCE) throw new Error('the certificate request is not one');
  return elements(element.content);
}

const text = ({ content }: Element): string => Buffer.from(content).toString('utf8');

function readSubject({ content }: Element): Pick<SigningRequest, 'commonName' | 'organizations'> {
  let commonName = '';
  const organizations: string[] = [];
  for (const part of elements(content))
    for (const pair of elements(part.content)) {
      const [id, value] = elements(pair.content);
      if (id === undefined || value === undefined) throw new Error('the subject is malformed');
      const name = readObjectIdentifier(id.content);
      if (name === COMMON_NAME) commonName = text(value);
      else if (name === ORGANIZATION) organizations.push(text(value));
    }
  return { commonName, organizations };
}

type Names = Pick<SigningRequest, 'dnsNames' | 'ipAddresses' | 'emailAddresses' | 'uris'>;

function readNames(attributes: Element | undefined): Names {
  const names: Element[] = [];
  for (const { content } of attributes === undefined ? [] : elements(attributes.content)) {
    const [id, values] = elements(content);
    if (id === undefined || values === undefined || readObjectIdentifier(id.content) !== EXTENSION_REQUEST)
      continue;
    for (const extensions of elements(values.content))
      for (const extension of elements(extensions.content)) {
        const parts = elements(extension.content);
        const value = parts.at(-1);
        if (
          value === undefined ||
          readObjectIdentifier(parts[0]?.content ?? value.content) !== SUBJECT_ALT_NAME
        )
          continue;
        for (const list of elements(value.content)) names.push(...elements(list.content));
      }
  }
  const tagged = (number: number): Element[] => names.filter(({ tag }) => tag === (0x80 | number));
  return {
    emailAddresses: tagged(1).map(text),
    dnsNames: tagged(2).map(text),
    uris: tagged(6).map(text),
    ipAddresses: tagged(7).map(({ content }) => content),
  };
}

function isSignedBy(
  publicKey: KeyObject,
  info: Element,
  algorithm: Element | undefined,
  signature: Element | undefined,
): boolean {
  const [id] = childrenOf(algorithm);
  const hash = id === undefined ? undefined : HASHES[readObjectIdentifier(id.content)];
  if (hash === undefined || signature === undefined) return false;
  // The first byte of a string of bits says how many of them do not count: here none.
  return verify(hash, info.whole, publicKey, signature.content.subarray(1));
}
