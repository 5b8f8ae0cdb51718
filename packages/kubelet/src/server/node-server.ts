import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { Clock, KeyPair, Logger } from '@windlass/base';
import { socketPair } from '@windlass/streams';
import { NodeRequestError } from './container-state.ts';
import type { NodeAnswers } from './node-answers.ts';

export interface NodeServerOptions {
  /** The node's own certificate, and PEM of the authority that must have signed those of clients. */
  readonly tls: KeyPair & { readonly clientAuthority: string };
  readonly requests: NodeAnswers;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A node that is cut off answers nobody. */
  readonly isSuspended: () => boolean;
}

/** Who may ask a node for anything. */
const MASTERS = 'system:masters';
const API_SERVER = 'kube-apiserver-kubelet-client';

/** The HTTPS server of one node, as a kubelet has it on port 10250. Only the API server may ask. */
export class NodeServer implements AsyncDisposable {
  readonly #options: NodeServerOptions;
  readonly #server: Server;

  constructor(options: NodeServerOptions) {
    this.#options = options;
    const { cert, key, clientAuthority } = options.tls;
    this.#server = createServer({
      cert,
      key,
      ca: clientAuthority,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
    });
    this.#server.on('tlsClientError', (error) => options.logger.debug('a TLS handshake failed', { error }));
    this.#server.on('request', (request, response) => void this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
  }

  /** A connection within the process: nothing listens on the machine. TLS is spoken all the same. */
  connect(): Duplex {
    const [client, served] = socketPair();
    this.#server.emit('connection', served);
    return client;
  }

  /** Listens as well, for API servers of other processes. Resolves with the port. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        // A TCP server's address is an object.
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      this.#check(request);
      await this.#options.requests.answer(request, response, gone.signal);
    } catch (error) {
      const { status, text } = this.#refusal(error, request);
      if (response.headersSent) response.destroy();
      else response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
    }
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    if (head.byteLength > 0) socket.unshift(head);
    try {
      this.#check(request);
      const { headers, run } = await this.#options.requests.upgrade(request);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      await run(socket);
    } catch (error) {
      const { status, text } = this.#refusal(error, request);
      const bytes = Buffer.from(text);
      socket.write(
        `HTTP/1.1 ${status} \r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${bytes.byteLength}\r\nconnection: close\r\n\r\n`,
      );
      socket.write(bytes);
    }
    socket.end(() => socket.destroy());
  }

  #check(request: IncomingMessage): void {
    if (this.#options.isSuspended()) {
      request.socket.destroy();
      throw new NodeRequestError(503, 'the node is cut off');
    }
    // The server takes TLS connections only. Of one that has closed meanwhile there is no certificate.
    const { subject } = (request.socket as TLSSocket).getPeerCertificate() as Partial<PeerCertificate>;
    const organizations: string | string[] = subject?.O ?? [];
    const isMaster = [organizations].flat().includes(MASTERS);
    if (!isMaster && subject?.CN !== API_SERVER)
      throw new NodeRequestError(
        403,
        `Forbidden (user=${String(subject?.CN ?? '')}, resource=nodes, subresource=proxy)`,
      );
  }

  #refusal(error: unknown, { url }: IncomingMessage): { readonly status: number; readonly text: string } {
    if (error instanceof NodeRequestError) return { status: error.status, text: error.message };
    this.#options.logger.error('a request to a node failed', { url, error });
    return { status: 500, text: error instanceof Error ? error.message : String(error) };
  }
}
