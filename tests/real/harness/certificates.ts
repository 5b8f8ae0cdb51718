// Throw-away certificates for one run. Node can read X.509 but not issue it, so openssl does.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needOpenssl, run } from './needs.ts';

/** A certificate and its key: as PEM text, and the files that hold them. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

export interface ClientIdentity {
  /** The user name the API server reads from the certificate. */
  readonly user: string;
  /** The groups it reads from it; `system:masters` may do everything. */
  readonly groups?: readonly string[];
}

const DAYS = '2';

/** The machine's openssl.cnf may add or demand fields; an empty one keeps certificates as written here. */
const CONFIG = 'openssl.cnf';
const CONFIG_TEXT = '[req]\ndistinguished_name = subject\n[subject]\n';

export class CertificateAuthority {
  readonly #openssl: string;
  readonly #folder: string;
  readonly ca: KeyPair;

  private constructor(openssl: string, folder: string, ca: KeyPair) {
    this.#openssl = openssl;
    this.#folder = folder;
    this.ca = ca;
  }

  static async create(folder: string): Promise<CertificateAuthority> {
    const openssl = await needOpenssl();
    const files = paths(folder, 'ca');
    await writeFile(join(folder, CONFIG), CONFIG_TEXT);
    await newKey(openssl, files.keyFile);
    const signing = ['-x509', '-new', '-config', join(folder, CONFIG), '-key', files.keyFile];
    const subject = ['-subj', '/CN=windlass-test-ca', '-days', DAYS];
    const usage = [
      '-addext',
      'basicConstraints=critical,CA:TRUE',
      '-addext',
      'keyUsage=critical,keyCertSign',
    ];
    await run(openssl, ['req', ...signing, ...subject, ...usage, '-out', files.certFile]);
    return new CertificateAuthority(openssl, folder, await load(files));
  }

  /** For a server that is reached by these names on loopback. */
  issueServer(name: string): Promise<KeyPair> {
    return this.#issue(name, '/CN=kube-apiserver', [
      'extendedKeyUsage=serverAuth',
      'subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default.svc',
    ]);
  }

  /** For a client; `name` is the stem of the files. */
  issueClient(name: string, identity: ClientIdentity): Promise<KeyPair> {
    const groups = (identity.groups ?? []).map((group) => `/O=${group}`).join('');
    return this.#issue(name, `${groups}/CN=${identity.user}`, ['extendedKeyUsage=clientAuth']);
  }

  async #issue(name: string, subject: string, extensions: readonly string[]): Promise<KeyPair> {
    const files = paths(this.#folder, name);
    const request = join(this.#folder, `${name}.csr`);
    const extensionFile = join(this.#folder, `${name}.ext`);
    await newKey(this.#openssl, files.keyFile);
    await writeFile(extensionFile, ['keyUsage=critical,digitalSignature', ...extensions].join('\n'));
    const config = join(this.#folder, CONFIG);
    const made = ['-key', files.keyFile, '-subj', subject, '-out', request];
    await run(this.#openssl, ['req', '-new', '-config', config, ...made]);
    const signer = ['-CA', this.ca.certFile, '-CAkey', this.ca.keyFile, '-CAcreateserial', '-days', DAYS];
    const signed = ['-extfile', extensionFile, '-out', files.certFile];
    await run(this.#openssl, ['x509', '-req', '-in', request, ...signer, ...signed]);
    return load(files);
  }
}

function paths(folder: string, name: string): { certFile: string; keyFile: string } {
  return { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
}

async function newKey(openssl: string, file: string): Promise<void> {
  await run(openssl, ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', file]);
}

async function load(files: { certFile: string; keyFile: string }): Promise<KeyPair> {
  const [cert, key] = await Promise.all([readFile(files.certFile, 'utf8'), readFile(files.keyFile, 'utf8')]);
  return { cert, key, ...files };
}
