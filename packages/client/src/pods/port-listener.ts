import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { onAbort, throwIfAborted, toError } from '@windlass/base';

/** Where a listener for a port of a pod listens. */
export interface ForwardOptions {
  /** Where to listen. @default 127.0.0.1: this machine alone */
  readonly host?: string;
  /** The port to listen on; 0 picks a free one. @default 0 */
  readonly port?: number;
  /** Told why a connection failed; the others go on. @default nobody */
  readonly onError?: (error: Error) => void;
  /** Closes it. */
  readonly signal?: AbortSignal;
}

/** A local port whose connections lead to a pod. Dispose of it to close it, with the connections that are open. */
export class PortListener implements AsyncDisposable {
  readonly host: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #abort = new AbortController();
  #release: () => void = () => {};

  private constructor(
    connect: (signal: AbortSignal) => Promise<Duplex>,
    host: string,
    onError: (error: Error) => void,
  ) {
    this.host = host;
    // A client that ends its side may still wait for the answer.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#open.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => this.#open.delete(socket));
      connect(this.#abort.signal).then(
        (pod) => {
          pipeline(socket, pod, socket, (error) => {
            if (error && !this.#abort.signal.aborted) onError(error);
          });
        },
        (error: unknown) => {
          socket.destroy();
          if (!this.#abort.signal.aborted) onError(toError(error));
        },
      );
    });
  }

  static async start(
    connect: (signal: AbortSignal) => Promise<Duplex>,
    { host = '127.0.0.1', port = 0, onError = () => {}, signal }: ForwardOptions,
  ): Promise<PortListener> {
    throwIfAborted(signal);
    const listener = new PortListener(connect, host, onError);
    await new Promise<void>((resolve, reject) => {
      listener.#server.once('error', reject);
      listener.#server.listen(port, host, resolve);
    });
    listener.#release = onAbort(signal, () => void listener.close());
    return listener;
  }

  get port(): number {
    // A server that listens on a port has an address with one.
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#release();
    this.#abort.abort();
    for (const socket of this.#open) socket.destroy();
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
