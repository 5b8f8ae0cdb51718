import type { Duplex } from 'node:stream';
import {
  type ApiRequest,
  type ApiResponse,
  type ApiStreamResponse,
  type ApiUpgradeResponse,
  type ApiWatchResponse,
  type Transport,
  wideJson,
} from '@windlass/apimachinery';
import { abortError, onAbort } from '@windlass/base';
import type { Dispatcher } from 'undici';
import { type Credentials, createCredentials } from '../credentials/credentials.ts';
import type { ConnectionPools } from './connection-pools.ts';
import { Connections } from './connections.ts';
import {
  checkedServer,
  checkOptions,
  DEFAULT_HTTP_OPTIONS,
  type HttpTransportOptions,
  pingFromEnvironment,
} from './http-options.ts';
import { ManagedFieldsSharing } from './managed-fields-sharing.ts';
import { RequestExchange } from './request-exchange.ts';
import { HeaderBuilder, type RequestHeaders } from './request-headers.ts';
import { requestTarget } from './request-url.ts';
import { SizeMetrics } from './size-metrics.ts';
import { StreamExchange } from './stream-exchange.ts';
import { UpgradeExchange } from './upgrade-exchange.ts';
import { MAX_LINE_BYTES } from './watch-decoder.ts';
import { WatchExchange } from './watch-exchange.ts';

/** Talks to an API server over HTTP. All requests share one set of connections. */
export class HttpTransport implements Transport {
  readonly #options: Required<HttpTransportOptions>;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #credentials: Credentials;
  readonly #connections: Connections;
  readonly #headers: HeaderBuilder;
  readonly #sizes: SizeMetrics;
  readonly #sharing = new ManagedFieldsSharing();
  /** Connections that the HTTP library has let go of. */
  readonly #upgraded = new Set<Duplex>();
  #closed = false;

  constructor(options: HttpTransportOptions) {
    this.#options = { ...DEFAULT_HTTP_OPTIONS, ...pingFromEnvironment(process.env), ...options };
    const { config, clock, logger, metrics, userAgent } = this.#options;
    const url = checkedServer(config.server);
    checkOptions(this.#options);
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.#credentials = createCredentials(config, {
      clock,
      logger,
      plugin: { env: process.env, isTerminal: standardInputIsTerminal },
    });
    this.#connections = new Connections(config, this.#options);
    this.#headers = new HeaderBuilder(config, userAgent);
    this.#sizes = new SizeMetrics(metrics, url.host);
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    const what = describe(request);
    const body = encodeBody(request.body);
    this.#sizes.sent(request.method, body?.length ?? 0);
    const response = await this.#authorized(request, (pools, headers) => {
      const exchange = new RequestExchange(what, this.#sharing);
      exchange.start(pools.requests, this.#dispatchOptions(request, headers, body), request.signal);
      return exchange.response;
    });
    this.#sizes.received(request.method, response.bytes);
    return response;
  }

  async watch(request: ApiRequest): Promise<ApiWatchResponse> {
    const { clock, watchIdleTimeoutMs, watchBufferBytes } = this.#options;
    return this.#authorized(request, (pools, headers) => {
      const exchange = new WatchExchange(describe(request), {
        clock,
        idleTimeoutMs: watchIdleTimeoutMs,
        maxBufferedBytes: watchBufferBytes,
        maxLineBytes: MAX_LINE_BYTES,
        sharing: this.#sharing,
      });
      // Silence is watched by our own clock, which knows what it means.
      const options = { ...this.#dispatchOptions(request, headers, undefined), bodyTimeout: 0 };
      exchange.start(pools.watches, options, request.signal);
      return exchange.established;
    });
  }

  async stream(request: ApiRequest): Promise<ApiStreamResponse> {
    const { watchBufferBytes } = this.#options;
    return this.#authorized(request, (pools, headers) => {
      const exchange = new StreamExchange(describe(request), this.#sharing, watchBufferBytes);
      // What is silent may only have nothing to say.
      const options = { ...this.#dispatchOptions(request, headers, undefined), bodyTimeout: 0 };
      exchange.start(pools.watches, options, request.signal);
      return exchange.established;
    });
  }

  async upgrade(request: ApiRequest): Promise<ApiUpgradeResponse> {
    // The HTTP library writes this header itself.
    const { upgrade = '', ...rest } = request.headers ?? {};
    const response = await this.#authorized({ ...request, headers: rest }, (pools, headers) => {
      const exchange = new UpgradeExchange(describe(request), this.#sharing);
      const options = { ...this.#dispatchOptions(request, headers, undefined), upgrade };
      exchange.start(pools.upgrades, options, request.signal);
      return exchange.response;
    });
    if (response.socket !== undefined) this.#keep(response.socket, request.signal);
    return response;
  }

  /** Ends every request and watch that runs, and closes every socket. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const socket of this.#upgraded) socket.destroy();
    await this.#connections.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Closes the connection with the signal or with the transport, whichever comes first. */
  #keep(socket: Duplex, signal: AbortSignal | undefined): void {
    this.#upgraded.add(socket);
    const release = onAbort(signal, () => {
      if (signal !== undefined) socket.destroy(abortError(signal));
    });
    socket.once('close', () => {
      release();
      this.#upgraded.delete(socket);
    });
    if (this.#closed) socket.destroy();
  }

  /** Tries once more with fresh credentials when the server does not know ours: it has done nothing yet. */
  async #authorized<R extends { readonly status: number }>(
    request: ApiRequest,
    attempt: (pools: ConnectionPools, headers: RequestHeaders) => Promise<R>,
  ): Promise<R> {
    const credential = await this.#credentials.current(request.signal);
    const pools = await this.#connections.current(credential);
    const response = await attempt(pools, this.#headers.build(request, credential));
    if (response.status !== 401) return response;
    if (!(await this.#credentials.refresh(credential, request.signal))) return response;
    const fresh = await this.#credentials.current(request.signal);
    return attempt(await this.#connections.current(fresh), this.#headers.build(request, fresh));
  }

  #dispatchOptions(
    request: ApiRequest,
    headers: RequestHeaders,
    body: Uint8Array | undefined,
  ): Dispatcher.DispatchOptions {
    return {
      origin: this.#origin,
      path: requestTarget(this.#prefix, request),
      method: request.method,
      headers,
      body: body ?? null,
    };
  }
}

/** By the descriptor: to look at `process.stdin` would open it. */
async function standardInputIsTerminal(): Promise<boolean> {
  const { isatty } = await import('node:tty');
  return isatty(0);
}

function encodeBody(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(wideJson(body));
}

/** For messages. The query stays out: it is long, and the path says what was asked for. */
function describe(request: ApiRequest): string {
  return `${request.method} ${request.path}`;
}
