import type { IncomingMessage } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type Clock, type Logger, type Metrics, noMetrics, type Random, toError } from '@windlass/base';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { type ConnectionLimits, Connections } from './connections.ts';
import { FrontAuthentication, type FrontAuthenticationOptions } from './front-authentication.ts';
import { type ExchangeServices, HttpExchange } from './http-exchange.ts';
import { KeepAlive } from './keep-alive.ts';
import { PacedStarts } from './paced-starts.ts';
import { type RequestLimitOptions, RequestLimits } from './request-limits.ts';
import { isStreamUpgrade, requestOf } from './upgrade-request.ts';

/** What strangers may take of the server. */
export type FrontLimits = ConnectionLimits & RequestLimitOptions;

export interface HttpFrontOptions extends FrontAuthenticationOptions {
  readonly dispatcher: Dispatcher;
  readonly flowControl: FlowControl;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly tls: ListenTls;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** How many connections, slow clients, watches and bytes of bodies there may be at once. @default see each */
  readonly limits?: FrontLimits;
  /**
   * How long the body of a request may take to arrive, and how long a client may read nothing of an answer, in
   * milliseconds.
   * @default 60000
   */
  readonly requestTimeoutMs?: number;
  /** @default none */
  readonly metrics?: Metrics;
}

/** PEM. */
export interface ListenTls {
  readonly cert: string;
  readonly key: string;
  /** Signs the certificates of clients. */
  readonly clientCa: string;
  /** Signs the certificates of front proxies. @default there are none */
  readonly frontProxyCa?: string;
}

const DEFAULT_REQUEST_TIMEOUT_MS = 60_000;
/** A client that takes longer for its TLS handshake is hung up on. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

const MAX_STREAMS = 250;
/**
 * Requests that a connection may take back at once, and for each second. A kubelet that is drained ends hundreds of
 * watches of its pods' config maps and secrets. Node heeds these two only together.
 */
const MAX_RESETS = 400;
const RESETS_A_SECOND = 100;
/** What one HTTP/2 connection may have waiting to be sent: 250 streams with a piece of a list each. */
const MAX_SESSION_MEGABYTES = 64;

/** Who has not taken its answers so long after the end gets none. */
const HANG_UP_MS = 1000;

/** HTTP/2 and HTTP/1.1 on one TLS port. Whatever a stranger sends, it answers or hangs up. */
export class HttpFront implements AsyncDisposable {
  readonly #options: HttpFrontOptions;
  /** Listens, and hands connections on to the other one a few at a time. */
  readonly #listener: Server;
  readonly #server: Http2SecureServer;
  readonly #sockets = new Set<TLSSocket>();
  readonly #stopping = new AbortController();
  readonly #services: ExchangeServices;
  readonly #connections: Connections;
  readonly #starts = new PacedStarts();
  readonly #handshakes = new PacedStarts();
  readonly #keepAlive: KeepAlive;

  constructor(options: HttpFrontOptions) {
    this.#options = options;
    const { metrics = noMetrics, limits = {} } = options;
    const {
      dispatcher,
      flowControl,
      clock,
      random,
      logger,
      requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS,
    } = options;
    this.#services = {
      dispatcher,
      authentication: new FrontAuthentication({ ...options, frontProxyCa: options.tls.frontProxyCa }),
      limits: new RequestLimits(limits, metrics),
      flowControl,
      clock,
      random,
      logger,
      timeoutMs: requestTimeoutMs,
    };
    const closed = metrics.counter({
      name: 'windlass_apiserver_closed_connections_total',
      help: 'Connections closed because there were too many',
      labelNames: ['reason'],
    });
    this.#connections = new Connections(limits, (reason) => closed.labels({ reason }).inc());
    const { cert, key, clientCa, frontProxyCa } = options.tls;
    this.#server = createSecureServer({
      allowHTTP1: true,
      cert,
      key,
      ca: frontProxyCa === undefined ? clientCa : [clientCa, frontProxyCa],
      // An intermediate authority may stand in the file by itself, as with Go.
      allowPartialTrustChain: true,
      requestCert: true,
      // A certificate is one way among others to say who one is; the authenticators decide.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      settings: { maxConcurrentStreams: MAX_STREAMS, initialWindowSize: 1024 * 1024 },
      // A client that takes back more at once, or goes on so, is hung up on.
      streamResetBurst: MAX_RESETS,
      streamResetRate: RESETS_A_SECOND,
      maxSessionMemory: MAX_SESSION_MEGABYTES,
    });
    this.#server.setTimeout(0);
    this.#listener = createServer((socket) => this.#accept(socket));
    this.#server.on('session', (session) => this.#connections.speaksHttp2(session));
    this.#keepAlive = new KeepAlive(this.#server, options);
    this.#server.on('secureConnection', (socket) => {
      this.#connections.secured(socket);
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', (error: Error) => options.logger.debug('a connection failed', { error }));
    });
    this.#server.on('tlsClientError', (error) => options.logger.debug('a TLS handshake failed', { error }));
    this.#server.on('sessionError', (error) => options.logger.debug('an HTTP/2 session failed', { error }));
    this.#server.on('request', (request, response) => this.#begin(request, response, false));
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const { request: asked, response } = requestOf(request, socket, head);
      this.#begin(asked, response, isStreamUpgrade(request.headers));
    });
  }

  /**
   * The kernel hands over all connections that wait in one turn, and each costs a TLS context: a stranger who opens
   * hundreds would hold up everybody. Those that were closed for others meanwhile cost nothing.
   */
  #accept(socket: Socket): void {
    this.#connections.accepted(socket);
    // Until TLS reads, nobody else hears of a reset.
    socket.on('error', (error) => this.#options.logger.debug('a connection failed', { error }));
    this.#handshakes.add(socket, () => {
      if (this.#stopping.signal.aborted) socket.destroy();
      if (!socket.destroyed) this.#server.emit('connection', socket);
    });
  }

  #begin(request: Http2ServerRequest, response: Http2ServerResponse, isUpgrade: boolean): void {
    this.#starts.add(request.stream?.session ?? request.socket, () => {
      if (isTakenBack(request)) return;
      this.#serve(request, response, isUpgrade).catch((thrown: unknown) => {
        this.#options.logger.error('a request could not be answered', { error: toError(thrown) });
        response.stream?.close?.();
      });
    });
  }

  /** Resolves with the port once it listens; rejects when it cannot. */
  listen(): Promise<number> {
    const { host = '127.0.0.1', port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#listener.once('error', reject);
      this.#listener.listen(port, host, () => {
        this.#listener.off('error', reject);
        this.#listener.on('error', (error) => this.#options.logger.error('the server failed', { error }));
        // A TCP server's address is an object.
        resolve((this.#listener.address() as AddressInfo).port);
      });
    });
  }

  /** Takes no more connections, ends the watches, and hangs up. */
  async close(): Promise<void> {
    this.#stopping.abort();
    const closed = new Promise<void>((resolve) => {
      this.#listener.close(() => resolve());
    });
    // It never listened itself: this closes its sessions.
    this.#server.close();
    for (const socket of this.#sockets) socket.destroySoon();
    this.#keepAlive.hangUpAfter(HANG_UP_MS);
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #serve(
    request: Http2ServerRequest,
    response: Http2ServerResponse,
    isUpgrade: boolean,
  ): Promise<void> {
    const cancel = new AbortController();
    // An abort makes an error with its stack, which is dear: none for an answer that is complete. Node closes it right
    // after it has said that it is finished, before whoever waited for that can run.
    const abort = (): void => {
      if (!response.writableEnded) cancel.abort();
    };
    response.on('close', abort);
    this.#stopping.signal.addEventListener('abort', abort, { once: true });
    const idle = this.#connections.began(request.socket);
    const exchange = new HttpExchange(
      request,
      response,
      { signal: cancel.signal, isUpgrade },
      this.#services,
    );
    try {
      await exchange.serve();
    } finally {
      exchange.release();
      idle();
      response.off('close', abort);
      this.#stopping.signal.removeEventListener('abort', abort);
    }
  }
}

/** Over HTTP/1.1 a client cannot take a request back, and there is no stream. */
function isTakenBack(request: Http2ServerRequest): boolean {
  const stream: { readonly closed: boolean } | undefined = request.stream;
  return stream?.closed ?? false;
}
