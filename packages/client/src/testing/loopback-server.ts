// A real HTTP server on a loopback port, for tests of what happens on sockets.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface LoopbackServerOptions {
  readonly tls?: ServerOptions;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
}

export class LoopbackServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #isTls: boolean;
  readonly #sockets = new Set<Socket>();
  #accepted = 0;
  #onGone: (() => void) | undefined;

  private constructor(options: LoopbackServerOptions) {
    const listener: RequestListener = (request, response) => options.onRequest(request, response);
    this.#isTls = options.tls !== undefined;
    this.#server =
      options.tls === undefined ? createServer(listener) : createSecureServer(options.tls, listener);
    this.#server.keepAliveTimeout = 90_000;
    this.#server.on('connection', (socket: Socket) => {
      this.#accepted++;
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (this.#sockets.size === 0) this.#onGone?.();
      });
    });
  }

  static async start(options: LoopbackServerOptions): Promise<LoopbackServer> {
    const server = new LoopbackServer(options);
    await new Promise<void>((resolve) => {
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  get url(): string {
    return `${this.#isTls ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  get port(): number {
    // A server that listens on a port has an address with one.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Connections ever accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Resolves when no connection is open. */
  async noSockets(): Promise<void> {
    if (this.#sockets.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onGone = resolve;
    });
  }

  /** Cuts every connection, as a crash would. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}
