import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { issueCertificate, type KeyPair } from '@windlass/apiserver';
import type { Clock, Random } from '@windlass/base';

/** The certificates and keys of one cluster. */
export interface Pki {
  readonly authority: KeyPair;
  readonly server: KeyPair;
  readonly admin: KeyPair;
  /** PEM; signs the tokens of service accounts. */
  readonly serviceAccountKey: string;
}

export interface PkiOptions {
  /** Undefined keeps everything in memory. */
  readonly directory: string | undefined;
  /** Names and addresses that the server is reached by. */
  readonly hosts: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
}

const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 365;
/** A certificate that ends sooner is made anew at the start. */
const RENEW_BEFORE_MS = 30 * 86_400_000;
const PRIVATE = 0o600;

/** Reads what the directory has, and makes what is missing, does not fit, or is about to end. */
export async function loadPki({ directory, hosts, clock, random }: PkiOptions): Promise<Pki> {
  const issuer = { clock, random };
  if (directory !== undefined) await mkdir(directory, { recursive: true, mode: 0o700 });
  const pair = async (
    name: string,
    isGood: (certificate: X509Certificate) => boolean,
    make: () => KeyPair,
  ): Promise<KeyPair> => {
    const known = directory === undefined ? undefined : await readPair(directory, name);
    if (known !== undefined && isFresh(known, clock) && isGood(new X509Certificate(known.cert))) return known;
    const made = make();
    if (directory !== undefined) await writePair(directory, name, made);
    return made;
  };
  const authority = await pair(
    'ca',
    (certificate) => certificate.ca,
    () =>
      issueCertificate({ commonName: 'windlass-ca', usage: 'authority', validDays: AUTHORITY_DAYS }, issuer),
  );
  const issuedByUs = (certificate: X509Certificate): boolean =>
    certificate.checkIssued(new X509Certificate(authority.cert));
  const server = await pair(
    'apiserver',
    (certificate) => issuedByUs(certificate) && hosts.every((host) => covers(certificate, host)),
    () =>
      issueCertificate(
        { commonName: 'kube-apiserver', usage: 'server', hosts, validDays: LEAF_DAYS },
        issuer,
        authority,
      ),
  );
  const admin = await pair('admin', issuedByUs, () =>
    issueCertificate(
      {
        commonName: 'kubernetes-admin',
        organizations: ['system:masters'],
        usage: 'client',
        validDays: LEAF_DAYS,
      },
      issuer,
      authority,
    ),
  );
  return { authority, server, admin, serviceAccountKey: await serviceAccountKey(directory) };
}

function isFresh({ cert }: KeyPair, clock: Clock): boolean {
  return Date.parse(new X509Certificate(cert).validTo) - clock.now() > RENEW_BEFORE_MS;
}

function covers(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

async function serviceAccountKey(directory: string | undefined): Promise<string> {
  const file = directory === undefined ? undefined : join(directory, 'sa.key');
  const known = file === undefined ? undefined : await readIfThere(file);
  if (known !== undefined) return known;
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  if (file !== undefined) await writeWhole(file, key, PRIVATE);
  return key;
}

async function readPair(directory: string, name: string): Promise<KeyPair | undefined> {
  const cert = await readIfThere(join(directory, `${name}.crt`));
  const key = await readIfThere(join(directory, `${name}.key`));
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

async function writePair(directory: string, name: string, { cert, key }: KeyPair): Promise<void> {
  await writeWhole(join(directory, `${name}.key`), key, PRIVATE);
  await writeWhole(join(directory, `${name}.crt`), cert, 0o644);
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** All of it or nothing: a crash never leaves half a file under its name. */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, text, { mode });
  await chmod(draft, mode);
  await rename(draft, file);
}
