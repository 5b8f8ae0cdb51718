import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { socketPair } from '@windlass/streams';

/** How much of a request's body is read. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * What simulated pods answer on their ports: every port speaks HTTP and says who was asked for what. Nothing listens
 * anywhere; connections are made within the process.
 */
export class PodPorts implements Disposable {
  readonly #targets = new WeakMap<object, { readonly pod: Cached<Pod>; readonly port: number }>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const target = this.#targets.get(request.socket);
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size > MAX_BODY_BYTES) request.destroy();
      });
      request.on('end', () => {
        const { metadata, spec } = target?.pod ?? {};
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          `${JSON.stringify({
            pod: metadata?.name,
            namespace: metadata?.namespace,
            node: spec?.nodeName,
            port: target?.port,
            method: request.method,
            path: request.url,
            bytes: size,
          })}\n`,
        );
      });
    });
    this.#server.on('clientError', (_, socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
    );
  }

  /** A connection to a port of a pod. */
  connect(pod: Cached<Pod>, port: number): Duplex {
    const [client, served] = socketPair();
    this.#targets.set(served, { pod, port });
    this.#server.emit('connection', served);
    return client;
  }

  [Symbol.dispose](): void {
    this.#server.closeAllConnections();
  }
}
