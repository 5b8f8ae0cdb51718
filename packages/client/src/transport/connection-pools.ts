import type { SecureContext } from 'node:tls';
import type { buildConnector, Dispatcher, Pool, ProxyAgent } from 'undici';
import type { TlsConfig } from '../config.ts';
import { type PingOptions, withPing } from './http2-ping.ts';

/** The part of undici that we use, which is loaded with the first request. */
export interface HttpLibrary {
  readonly Pool: typeof Pool;
  readonly ProxyAgent: typeof ProxyAgent;
  readonly buildConnector: typeof buildConnector;
}

export interface ConnectionOptions extends PingOptions {
  readonly origin: string;
  readonly proxyUrl?: string;
  readonly tls: TlsConfig;
  readonly secureContext?: SecureContext;
  readonly connections: number;
  /** `watches`: only for them. */
  readonly allowH2: boolean | 'watches';
  readonly connectTimeoutMs: number;
  readonly responseTimeoutMs: number;
}

/**
 * Below the 90 s after which a Go server closes an idle connection, so that it is us who close it and
 * no request meets a connection that is just being closed.
 */
const KEEP_ALIVE_MS = 60_000;

/** After this long in silence the kernel probes the peer; Linux gives up on a dead one 10 s later. */
const TCP_KEEP_ALIVE_MS = 30_000;

/**
 * All connections to one API server that were made with one set of certificates: a bounded pool for
 * requests, and beside it the connections that watches hold. They are apart because on HTTP/1.1 a watch
 * keeps its connection for minutes: in one bounded pool, as many watches as connections would leave no
 * way through for any request.
 */
export class ConnectionPools {
  readonly requests: Dispatcher;
  readonly watches: Dispatcher;
  readonly #library: HttpLibrary;
  readonly #options: ConnectionOptions;
  #upgrades: Dispatcher | undefined;

  constructor(library: HttpLibrary, options: ConnectionOptions) {
    this.#library = library;
    this.#options = options;
    this.requests = open(library, options, options.connections, options.allowH2 === true);
    this.watches = open(library, options, null, options.allowH2 !== false);
  }

  /** For connections that get another protocol, which HTTP/1.1 alone can. A program without any needs none. */
  get upgrades(): Dispatcher {
    this.#upgrades ??= open(this.#library, this.#options, null, false);
    return this.#upgrades;
  }

  /** Takes no more requests; lets those and the watches that run come to their end. */
  async retire(): Promise<void> {
    await Promise.all([this.requests.close(), this.watches.close(), this.#upgrades?.close()]);
  }

  /** Ends everything now. Resolves when the sockets are closed. */
  async destroy(): Promise<void> {
    await Promise.all([this.requests.destroy(), this.watches.destroy(), this.#upgrades?.destroy()]);
  }
}

function open(
  library: HttpLibrary,
  options: ConnectionOptions,
  connections: number | null,
  allowH2: boolean,
): Dispatcher {
  const { tls, secureContext } = options;
  const connect = {
    allowH2,
    timeout: options.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    ...(secureContext === undefined ? {} : { secureContext }),
    ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    ...(tls.insecureSkipVerify === true ? { rejectUnauthorized: false } : {}),
  };
  const common = {
    connections,
    allowH2,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: options.responseTimeoutMs,
    bodyTimeout: options.responseTimeoutMs,
    // Ours follow the clock, and expect an answer.
    h2Options: { pingInterval: 0 },
  };
  if (options.proxyUrl === undefined)
    return new library.Pool(options.origin, {
      ...common,
      connect: withPing(library.buildConnector(connect), options),
    });
  return new library.ProxyAgent({
    ...common,
    uri: options.proxyUrl,
    connectTimeout: options.connectTimeoutMs,
    requestTls: connect,
    factory: (origin, through) => {
      // What the agent gives has a connector through the tunnel; the types say less.
      const { connect: tunnel, ...rest } = through as { connect: buildConnector.connector };
      return new library.Pool(origin, { ...rest, connect: withPing(tunnel, options) });
    },
  });
}
