import { createSecureContext, type SecureContext } from 'node:tls';
import { type Logger, toError } from '@windlass/base';
import type { PemSource, TlsConfig } from '../config.ts';
import { CredentialError } from '../errors.ts';
import { reveal } from '../secret.ts';
import type { Credential } from './credentials.ts';
import { RotatingFile, type RotatingFileOptions } from './rotating-file.ts';

type Source = () => string | Promise<string>;

/**
 * The certificates of one configuration: inline, from files that rotate, or from the credentials. What
 * it gives is the same object for as long as nothing changed, so that a change is seen by comparing.
 */
export class TlsMaterial {
  readonly #ca: Source | undefined;
  readonly #cert: Source | undefined;
  readonly #key: Source | undefined;
  readonly #logger: Logger;
  #used: readonly (string | undefined)[] = [];
  #context: SecureContext | undefined;

  constructor(tls: TlsConfig, options: RotatingFileOptions) {
    const source = (pem: PemSource | undefined): Source | undefined => {
      if (pem === undefined) return undefined;
      if ('data' in pem) return () => reveal(pem.data);
      const file = new RotatingFile(pem.file, options);
      return () => file.read();
    };
    this.#ca = source(tls.ca);
    this.#cert = source(tls.cert);
    this.#key = source(tls.key);
    this.#logger = options.logger;
  }

  /** Not a promise when no file has to be read. A certificate of the credential wins over ours. */
  current(credential: Credential): SecureContext | Promise<SecureContext> {
    const ca = this.#ca?.();
    const cert = credential.cert ?? this.#cert?.();
    const key = credential.key ?? this.#key?.();
    if (isReady(ca) && isReady(cert) && isReady(key)) return this.#update(ca, cert, key);
    return Promise.all([ca, cert, key]).then((parts) => this.#update(...parts));
  }

  #update(ca: string | undefined, cert: string | undefined, key: string | undefined): SecureContext {
    const [usedCa, usedCert, usedKey] = this.#used;
    if (this.#context !== undefined && usedCa === ca && usedCert === cert && usedKey === key)
      return this.#context;
    try {
      this.#context = createSecureContext({
        // As Go's clients do: each certificate of the CA file is trusted for itself, also one that another has signed.
        ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
      });
      this.#used = [ca, cert, key];
    } catch (error) {
      const problem = `the client certificate, its key or the CA cannot be used: ${toError(error).message}`;
      if (this.#context === undefined) {
        throw new CredentialError(problem, { code: 'CERTIFICATE_INVALID', cause: error });
      }
      // Between the replacement of the one file and of the other they do not match.
      this.#logger.warn('new certificates cannot be used; keeping the ones in use', { error });
    }
    return this.#context;
  }
}

function isReady(value: string | Promise<string> | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
