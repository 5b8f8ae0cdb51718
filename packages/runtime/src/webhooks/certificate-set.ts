import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type Clock, issueCertificate, type KeyPair, type Random, WindlassError } from '@windlass/base';

/** What a webhook server needs. All PEM. */
export interface CertificateSet {
  /** Whom API servers must trust: the authority, and the one before it while that is still good. */
  readonly caBundle: string;
  /** Absent when the certificates come from somebody else. */
  readonly authority?: KeyPair;
  readonly server: KeyPair;
}

/** A certificate cannot be used. */
export class CertificateError extends WindlassError {
  constructor(where: string, problem: string, cause?: unknown) {
    super(`the certificate of ${where} cannot be used: ${problem}`, { code: 'BAD_CERTIFICATE', cause });
  }
}

export interface IssueOptions {
  readonly hosts: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly authorityDays: number;
  readonly serverDays: number;
}

/** A certificate is replaced when two thirds of its time have passed. */
const RENEW_AT = 2 / 3;

/** When a certificate is to be replaced, in milliseconds since 1970. */
export function renewalTime(cert: string): number {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return from + (to - from) * RENEW_AT;
}

/** The set with whatever is due replaced; the very set when nothing is. */
export function renewed(current: CertificateSet | undefined, options: IssueOptions): CertificateSet {
  const { hosts, clock, random, authorityDays, serverDays } = options;
  const issuer = { clock, random };
  const now = clock.now();
  const keepsAuthority = current?.authority !== undefined && now < renewalTime(current.authority.cert);
  const authority =
    keepsAuthority && current.authority !== undefined
      ? current.authority
      : issueCertificate(
          { commonName: 'windlass-webhooks', usage: 'authority', validDays: authorityDays },
          issuer,
        );
  const keepsServer =
    keepsAuthority &&
    now < renewalTime(current.server.cert) &&
    hosts.every((host) => isFor(current.server, host));
  if (keepsServer) return current;
  const [host = 'localhost'] = hosts;
  return {
    // Who still serves with a certificate of the old authority is still trusted.
    caBundle: keepsAuthority ? current.caBundle : `${authority.cert}${current?.authority?.cert ?? ''}`,
    authority,
    server: issueCertificate(
      { commonName: host, hosts, usage: 'server', validDays: serverDays },
      issuer,
      authority,
    ),
  };
}

/** @throws CertificateError that says what is wrong: not PEM, another's key, too old, for other hosts */
export function checkServerPair(
  where: string,
  { cert, key }: KeyPair,
  hosts: readonly string[],
  now: number,
): void {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch (error) {
    throw new CertificateError(where, 'it is no PEM certificate', error);
  }
  let isItsKey: boolean;
  try {
    isItsKey = certificate.checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new CertificateError(where, 'its key is no PEM private key', error);
  }
  if (!isItsKey) throw new CertificateError(where, 'the key belongs to another certificate');
  if (now > Date.parse(certificate.validTo))
    throw new CertificateError(where, `it was good until ${certificate.validTo}`);
  if (now < Date.parse(certificate.validFrom))
    throw new CertificateError(where, `it is not good before ${certificate.validFrom}`);
  const missing = hosts.filter((host) => !isFor({ cert, key }, host));
  if (missing.length > 0) throw new CertificateError(where, `it is not for ${missing.join(', ')}`);
}

function isFor({ cert }: KeyPair, host: string): boolean {
  const certificate = new X509Certificate(cert);
  return certificate.checkHost(host) !== undefined || certificate.checkIP(host) !== undefined;
}
