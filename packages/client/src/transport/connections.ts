import type { SecureContext } from 'node:tls';
import { type Clock, type Logger, toError } from '@windlass/base';
import type { ClientConfig } from '../config.ts';
import type { Credential } from '../credentials/credentials.ts';
import type { TlsMaterial } from '../credentials/tls-material.ts';
import { TransportError, TransportLibraryError } from '../errors.ts';
import { reveal } from '../secret.ts';
import { type ConnectionOptions, ConnectionPools, type HttpLibrary } from './connection-pools.ts';

export interface ConnectionsOptions
  extends Pick<
    ConnectionOptions,
    'connections' | 'allowH2' | 'connectTimeoutMs' | 'responseTimeoutMs' | 'pingAfterMs' | 'pingTimeoutMs'
  > {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The connections to one API server over its whole life. When the certificates change, new requests go
 * to new connections, and what runs on the old ones ends by itself: a rotation breaks nothing.
 */
export class Connections {
  readonly #config: ClientConfig;
  readonly #options: ConnectionsOptions;
  readonly #isTls: boolean;
  #library: HttpLibrary | undefined;
  #tls: TlsMaterial | undefined;
  #context: SecureContext | undefined;
  #pools: ConnectionPools | undefined;
  /** Those of older certificates on which something still runs. */
  readonly #retiring = new Set<ConnectionPools>();
  #closed = false;

  constructor(config: ClientConfig, options: ConnectionsOptions) {
    this.#config = config;
    this.#options = options;
    this.#isTls = config.server.startsWith('https:');
  }

  /** The connections to use now. Not a promise when nothing has to be loaded or read. */
  current(credential: Credential): ConnectionPools | Promise<ConnectionPools> {
    if (this.#library === undefined) return this.#load().then(() => this.current(credential));
    const context = this.#tls?.current(credential);
    return context instanceof Promise ? context.then((ready) => this.#with(ready)) : this.#with(context);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const pools = [...this.#retiring, ...(this.#pools === undefined ? [] : [this.#pools])];
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  /** HTTP and TLS cost more to load than the rest of the package, so they wait for the first request. */
  async #load(): Promise<void> {
    const [library, material] = await Promise.all([
      loadLibrary(),
      this.#isTls ? import('../credentials/tls-material.ts') : undefined,
    ]);
    this.#library = library;
    this.#tls ??=
      material === undefined ? undefined : new material.TlsMaterial(this.#config.tls ?? {}, this.#options);
  }

  #with(context: SecureContext | undefined): ConnectionPools {
    if (this.#closed) {
      throw new TransportError('the transport is closed', { code: 'TRANSPORT_CLOSED', sent: false });
    }
    if (this.#pools === undefined || this.#context !== context) {
      if (this.#pools !== undefined) this.#retire(this.#pools);
      this.#context = context;
      this.#pools = this.#open(context);
    }
    return this.#pools;
  }

  #open(secureContext: SecureContext | undefined): ConnectionPools {
    if (this.#library === undefined) throw new TypeError('opened before the library was loaded');
    const { server, proxyUrl, tls = {} } = this.#config;
    return new ConnectionPools(this.#library, {
      ...this.#options,
      origin: new URL(server).origin,
      tls,
      ...(secureContext === undefined ? {} : { secureContext }),
      ...(proxyUrl === undefined ? {} : { proxyUrl: reveal(proxyUrl) }),
    });
  }

  #retire(pools: ConnectionPools): void {
    this.#options.logger.info('certificates have changed; new requests use new connections');
    this.#retiring.add(pools);
    const gone = (): boolean => this.#retiring.delete(pools);
    // It fails when the transport is closed meanwhile, which ends everything anyway.
    pools.retire().then(gone, gone);
  }
}

/** @throws TransportLibraryError in a bundle that left something out */
async function loadLibrary(): Promise<HttpLibrary> {
  try {
    // By its file: Bun has a part of its own under the package's name, which opens no pools.
    return await import('undici/index.js');
  } catch (error) {
    throw new TransportLibraryError(toError(error));
  }
}
