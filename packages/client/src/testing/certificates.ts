// Certificates for tests of TLS, made by the openssl on the machine.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** An authority of its own in a folder of its own. Dispose it to remove the folder. */
export class CertificateAuthority implements Disposable {
  readonly directory: string;
  readonly cert: string;
  readonly certFile: string;

  constructor() {
    this.directory = mkdtempSync(join(tmpdir(), 'windlass-ca-'));
    this.certFile = join(this.directory, 'ca.crt');
    this.#openssl(
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
      '-days',
      '2',
      '-subj',
      '/CN=test-ca',
    );
    this.cert = readFileSync(this.certFile, 'utf8');
  }

  /** @param subject as openssl takes it: `/CN=admin/O=system:masters` */
  issue(name: string, subject: string, names = 'IP:127.0.0.1,IP:::1,DNS:localhost'): Certificate {
    const certFile = join(this.directory, `${name}.crt`);
    const keyFile = join(this.directory, `${name}.key`);
    writeFileSync(join(this.directory, `${name}.ext`), `subjectAltName=${names}\n`);
    this.#openssl('req', ...NEW_KEY, '-keyout', keyFile, '-out', `${name}.csr`, '-subj', subject);
    const signing = `x509 -req -in ${name}.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile ${name}.ext`;
    this.#openssl(...signing.split(' '), '-out', certFile);
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8'), certFile, keyFile };
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #openssl(...args: readonly string[]): void {
    execFileSync(PROGRAM, args, { cwd: this.directory, stdio: 'ignore' });
  }
}

const PROGRAM = 'openssl';
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;
