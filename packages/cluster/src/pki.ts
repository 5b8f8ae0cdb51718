import { createPrivateKey, generateKeyPair, X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { issueCertificate, type KeyPair } from '@windlass/apiserver';
import {
  type Clock,
  type Logger,
  makeDirectory,
  type Random,
  signCertificate,
  writeWhole,
} from '@windlass/base';

const generateRsa = promisify(generateKeyPair);

/** The certificates and keys of one cluster. */
export interface Pki {
  readonly authority: KeyPair;
  readonly server: KeyPair;
  readonly admin: KeyPair;
  /** The authority of front proxies, and this server as one: so do the servers of APIServices know it. */
  readonly frontProxy: { readonly authority: KeyPair; readonly client: KeyPair };
  /** Who the API server is to kubelets. */
  readonly kubeletClient: KeyPair;
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
  readonly logger: Logger;
}

const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 365;
/** A certificate that ends sooner is made anew at the start. */
const RENEW_BEFORE_MS = 30 * 86_400_000;
const PRIVATE = 0o600;

/**
 * Reads what the directory has, and makes what is missing, does not fit, or is about to end. What others rely on is
 * not made anew in silence.
 */
export async function loadPki({ directory, hosts, clock, random, logger }: PkiOptions): Promise<Pki> {
  const issuer = { clock, random };
  if (directory !== undefined) await makeDirectory(directory, { mode: 0o700 });
  const isFirstStart = directory === undefined || (await readdir(directory)).length === 0;
  const warn = (file: string, lost: string): void => {
    if (!isFirstStart)
      logger.warn(`${file} was missing or not usable and is made anew: ${lost}`, { directory });
  };
  const pair = async (
    name: string,
    isGood: (certificate: X509Certificate) => boolean,
    make: () => KeyPair | Promise<KeyPair>,
  ): Promise<KeyPair> => {
    const known = directory === undefined ? undefined : await readPair(directory, name);
    if (known !== undefined && isFresh(known, clock) && isGood(new X509Certificate(known.cert))) return known;
    const made = await make();
    if (directory !== undefined) await writePair(directory, name, made);
    return made;
  };
  const authority = await pair(
    'ca',
    (certificate) => certificate.ca,
    () => {
      warn(
        'ca.crt with ca.key',
        'certificates and kubeconfigs that were issued before are no longer accepted',
      );
      return issueCertificate(
        { commonName: 'windlass-ca', usage: 'authority', validDays: AUTHORITY_DAYS },
        issuer,
      );
    },
  );
  const root = new X509Certificate(authority.cert);
  // By its key: an authority that was lost had the same name.
  const issuedByUs = (certificate: X509Certificate): boolean =>
    certificate.checkIssued(root) && certificate.verify(root.publicKey);
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
  const adminRequest = {
    commonName: 'kubernetes-admin',
    organizations: ['system:masters'],
    usage: 'client',
    validDays: LEAF_DAYS,
  } as const;
  const [admin, accountKey] = await Promise.all([
    pair(
      'admin',
      (certificate) => issuedByUs(certificate) && certificate.publicKey.asymmetricKeyType === 'rsa',
      async () => {
        const { privateKey, publicKey } = await generateRsa('rsa', { modulusLength: 2048 });
        const cert = signCertificate(adminRequest, publicKey, issuer, authority);
        // The one form that clients in Go, JavaScript, Java and Python all read with nothing added: kubeadm's.
        return { cert, key: privateKey.export({ type: 'pkcs1', format: 'pem' }) };
      },
    ),
    serviceAccountKey(directory, warn),
  ]);
  const frontProxyCa = await pair(
    'front-proxy-ca',
    (certificate) => certificate.ca,
    () =>
      issueCertificate(
        { commonName: 'front-proxy-ca', usage: 'authority', validDays: AUTHORITY_DAYS },
        issuer,
      ),
  );
  const frontProxyRoot = new X509Certificate(frontProxyCa.cert);
  const frontProxyClient = await pair(
    'front-proxy-client',
    (certificate) => certificate.checkIssued(frontProxyRoot) && certificate.verify(frontProxyRoot.publicKey),
    () =>
      issueCertificate(
        { commonName: 'front-proxy-client', usage: 'client', validDays: LEAF_DAYS },
        issuer,
        frontProxyCa,
      ),
  );
  const kubeletClient = await pair('apiserver-kubelet-client', issuedByUs, () =>
    issueCertificate(
      {
        commonName: 'kube-apiserver-kubelet-client',
        organizations: ['system:masters'],
        usage: 'client',
        validDays: LEAF_DAYS,
      },
      issuer,
      authority,
    ),
  );
  return {
    authority,
    server,
    admin,
    frontProxy: { authority: frontProxyCa, client: frontProxyClient },
    kubeletClient,
    serviceAccountKey: accountKey,
  };
}

function isFresh({ cert }: KeyPair, clock: Clock): boolean {
  return Date.parse(new X509Certificate(cert).validTo) - clock.now() > RENEW_BEFORE_MS;
}

function covers(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

async function serviceAccountKey(
  directory: string | undefined,
  warn: (file: string, lost: string) => void,
): Promise<string> {
  const file = directory === undefined ? undefined : join(directory, 'sa.key');
  const known = file === undefined ? undefined : await readIfThere(file);
  if (known !== undefined) return known;
  warn('sa.key', 'tokens of service accounts that were issued before are no longer accepted');
  const { privateKey } = await generateRsa('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  if (file !== undefined) await writeWhole(file, key, PRIVATE);
  return key;
}

async function readPair(directory: string, name: string): Promise<KeyPair | undefined> {
  const cert = await readIfThere(join(directory, `${name}.crt`));
  const key = await readIfThere(join(directory, `${name}.key`));
  if (cert === undefined || key === undefined) return undefined;
  // One of the two may be an older copy.
  return isPair(cert, key) ? { cert, key } : undefined;
}

function isPair(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
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
