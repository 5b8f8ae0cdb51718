import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /**
   * How many connections may be open at once. Past that, the one that has been idle for the longest time is closed.
   * @default 5000
   */
  readonly maxConnections?: number;
  /**
   * How many connections may be in their TLS handshake. Past that, the oldest of them is closed.
   * @default 256
   */
  readonly maxHandshakes?: number;
}

export const DEFAULT_MAX_CONNECTIONS = 5000;
export const DEFAULT_MAX_HANDSHAKES = 256;

/** Why a connection was closed, for metrics. */
export type CloseReason = 'handshake' | 'idle' | 'full';

interface Connection {
  readonly socket: Socket;
  session: Http2Session | undefined;
  /** Requests that are being answered on it. */
  requests: number;
}

/**
 * The connections of a server, and which of them must go when there are too many. A connection that answers a request
 * is never closed for another. Limits on requests and watches keep their number below that of the connections, so that
 * a newcomer always finds an idle one to replace.
 *
 * Cost: O(1) for each connection and each request.
 */
export class Connections {
  readonly #limits: Required<ConnectionLimits>;
  readonly #onClose: (reason: CloseReason) => void;
  readonly #open = new Map<string, Connection>();
  /** Both in the order in which they came to be so: the first one has been so for the longest time. */
  readonly #handshaking = new Set<string>();
  readonly #idle = new Set<string>();

  constructor(limits: ConnectionLimits, onClose: (reason: CloseReason) => void) {
    this.#limits = {
      maxConnections: limits.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
      maxHandshakes: limits.maxHandshakes ?? DEFAULT_MAX_HANDSHAKES,
    };
    this.#onClose = onClose;
  }

  get size(): number {
    return this.#open.size;
  }

  /** A TCP connection was accepted. Its TLS handshake begins. */
  accepted(socket: Socket): void {
    const key = keyOf(socket);
    if (this.#handshaking.size >= this.#limits.maxHandshakes) this.#close(this.#handshaking, 'handshake');
    if (this.#open.size >= this.#limits.maxConnections && !this.#close(this.#idle, 'idle')) {
      this.#onClose('full');
      socket.destroy();
      return;
    }
    this.#open.set(key, { socket, session: undefined, requests: 0 });
    this.#handshaking.add(key);
    socket.once('close', () => {
      this.#open.delete(key);
      this.#handshaking.delete(key);
      this.#idle.delete(key);
    });
  }

  /** The handshake is done. */
  secured(socket: Socket): void {
    const key = keyOf(socket);
    if (this.#handshaking.delete(key)) this.#idle.add(key);
  }

  /** It speaks HTTP/2, and can be told that it is being closed. */
  speaksHttp2(session: Http2Session): void {
    const connection = session.socket === undefined ? undefined : this.#open.get(keyOf(session.socket));
    if (connection !== undefined) connection.session = session;
  }

  /** A request arrived. Returns what to call when it is answered. */
  began(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): () => void {
    const key = keyOf(socket);
    const connection = this.#open.get(key);
    if (connection === undefined) return () => {};
    if (connection.requests++ === 0) this.#idle.delete(key);
    return () => {
      if (--connection.requests === 0 && this.#open.get(key) === connection) this.#idle.add(key);
    };
  }

  /** Closes the first of the connections. False when there is none. */
  #close(keys: Set<string>, reason: CloseReason): boolean {
    for (const key of keys) {
      keys.delete(key);
      const connection = this.#open.get(key);
      if (connection === undefined) continue;
      this.#open.delete(key);
      this.#onClose(reason);
      connection.session?.close();
      connection.socket.destroySoon();
      return true;
    }
    return false;
  }
}

/** The same for a socket and for what TLS and HTTP/2 make of it. */
function keyOf({ remoteAddress = '', remotePort = 0 }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
}
