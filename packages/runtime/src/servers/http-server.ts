import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Logger, onAbort, toError, WindlassError } from '@windlass/base';
import type { Runnable, RunnableContext } from '../runnable.ts';
import type { Address } from './address.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface HttpServerOptions {
  readonly name: string;
  readonly address: Address;
  readonly handle: RequestHandler;
  readonly logger: Logger;
  /** HTTPS with these. `onServer` is told of the server, to change them later. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly onServer?: (server: Server) => void;
}

/** The port is taken, or may not be used. */
class ListenError extends WindlassError {
  constructor(name: string, { host, port }: Address, cause: Error) {
    super(`${name} cannot listen on ${host}:${port}: ${cause.message}; choose another address`, {
      code: 'LISTEN_FAILED',
      cause,
    });
  }
}

/** A small server that starts and stops with a manager. */
export class HttpServer implements Runnable {
  readonly name: string;
  readonly signalsReady = true;
  readonly #options: HttpServerOptions;
  #port: number | undefined = undefined;

  constructor(options: HttpServerOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Once it listens. */
  get port(): number | undefined {
    return this.#port;
  }

  async run({ signal, deadline, ready }: RunnableContext): Promise<void> {
    const { tls, onServer, logger, address } = this.#options;
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      this.#answer(request, response);
    const server: Server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
    // A client that hangs up in mid-handshake is its own trouble.
    server.on('tlsClientError', (error: Error) => logger.debug('a TLS handshake failed', { error }));
    await this.#listen(server);
    onServer?.(server);
    logger.info('listening', { server: this.name, host: address.host, port: this.#port });
    ready();
    await new Promise<void>((resolve) => void onAbort(signal, resolve));
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const release = onAbort(deadline, () => server.closeAllConnections());
    await closed;
    release();
  }

  #listen(server: Server): Promise<void> {
    const { address } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(new ListenError(this.name, address, error));
      server.once('error', fail);
      server.listen(address.port, address.host, () => {
        server.off('error', fail);
        // What goes wrong from now on concerns single connections.
        server.on('error', (error) =>
          this.#options.logger.error('a server failed', { server: this.name, error }),
        );
        // A server that listens on a host and a port has both.
        this.#port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { handle, logger } = this.#options;
    const fail = (thrown: unknown): void => {
      logger.error('a request could not be answered', { server: this.name, error: toError(thrown) });
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end('internal error\n');
    };
    try {
      void Promise.resolve(handle(request, response)).catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  }
}
