import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import {
  bits,
  bool,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octets,
  sequence,
  set,
  time,
  utf8,
} from './der.ts';

/** A certificate and its key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Whom a certificate is for, and what it may be used for. */
export interface CertificateRequest {
  readonly commonName: string;
  /** @default none */
  readonly organizations?: readonly string[];
  /** Host names and addresses that a server may be reached by. @default none */
  readonly hosts?: readonly string[];
  readonly usage: 'server' | 'client' | 'authority';
  readonly validDays: number;
}

/** Where an issuer takes the time and serial numbers from. */
export interface Issuer {
  readonly clock: Clock;
  readonly random: Random;
}

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectAltName: '2.5.29.17',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

const DAY_MS = 86_400_000;
/** Clocks of clients may be behind. */
const BACKDATE_MS = 5 * 60_000;
const SERIAL_BYTES = 16;

/** A new key on P-256 and a certificate for it: signed by `authority`, or by itself when there is none. */
export function issueCertificate(request: CertificateRequest, issuer: Issuer, authority?: KeyPair): KeyPair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return {
    cert: signCertificate(request, createPublicKey(privateKey), issuer, authority ?? { cert: '', key }),
    key,
  };
}

/** A certificate for a key that somebody else has. */
export function signCertificate(
  request: CertificateRequest,
  publicKey: KeyObject,
  issuer: Issuer,
  authority: KeyPair,
): string {
  const algorithm = sequence(objectIdentifier(OID.ecdsaWithSha256));
  const subject = nameOf(request);
  const notBefore = issuer.clock.now() - BACKDATE_MS;
  const serial = issuer.random.bytes(SERIAL_BYTES);
  const body = sequence(
    explicit(0, integer(2)),
    integer(serial),
    algorithm,
    authority.cert === '' ? subject : subjectOf(authority.cert),
    sequence(time(notBefore), time(notBefore + request.validDays * DAY_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensionsOf(request))),
  );
  const signature = sign('sha256', body, createPrivateKey(authority.key));
  return pem(sequence(body, algorithm, bits(signature)));
}

export function nameOf({
  commonName,
  organizations = [],
}: Pick<CertificateRequest, 'commonName' | 'organizations'>): Buffer {
  const part = (oid: string, text: string): Buffer => set(sequence(objectIdentifier(oid), utf8(text)));
  return sequence(
    ...organizations.map((organization) => part(OID.organization, organization)),
    part(OID.commonName, commonName),
  );
}

function extensionsOf({ usage, hosts = [] }: CertificateRequest): Buffer[] {
  const extension = (oid: string, isCritical: boolean, value: Buffer): Buffer =>
    sequence(objectIdentifier(oid), ...(isCritical ? [bool(true)] : []), octets(value));
  const isAuthority = usage === 'authority';
  // Signing certificates (and lists of revoked ones), or signing and agreeing on keys.
  const keyUsage = isAuthority ? bits(Buffer.from([0x06]), 1) : bits(Buffer.from([0xa0]), 5);
  const extensions = [
    extension(OID.basicConstraints, true, isAuthority ? sequence(bool(true)) : sequence()),
    extension(OID.keyUsage, true, keyUsage),
  ];
  if (!isAuthority) {
    extensions.push(
      extension(
        OID.extendedKeyUsage,
        false,
        sequence(objectIdentifier(usage === 'server' ? OID.serverAuth : OID.clientAuth)),
      ),
    );
  }
  if (hosts.length > 0)
    extensions.push(extension(OID.subjectAltName, false, sequence(...hosts.map(hostName))));
  return extensions;
}

export function hostName(host: string): Buffer {
  const family = isIP(host);
  if (family === 0) return implicit(2, Buffer.from(host, 'ascii'));
  return implicit(7, family === 4 ? Buffer.from(host.split('.').map(Number)) : ipv6Bytes(host));
}

function ipv6Bytes(host: string): Buffer {
  const [head = '', tail] = host.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** The subject of a certificate, as it stands there: the fifth part after the version. */
export function subjectOf(cert: string): Buffer {
  const bytes = new X509Certificate(cert).raw;
  let at = contentStart(bytes, contentStart(bytes, 0));
  for (let part = 0; part < 5; part++) at = end(bytes, at);
  return bytes.subarray(at, end(bytes, at));
}

function contentStart(bytes: Buffer, at: number): number {
  const length = bytes[at + 1] ?? 0;
  return at + 2 + (length < 0x80 ? 0 : length & 0x7f);
}

function end(bytes: Buffer, at: number): number {
  const start = contentStart(bytes, at);
  const length = bytes[at + 1] ?? 0;
  return start + (length < 0x80 ? length : bytes.readUIntBE(at + 2, length & 0x7f));
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
