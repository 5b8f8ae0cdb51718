import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Clock, type Logger, watchLiveness } from '@windlass/base';

export interface KeepAliveOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** After so long in silence the kernel probes the peer; Linux gives up on a dead one 10 s later. */
const TCP_KEEP_ALIVE_MS = 30_000;
/** An HTTP/2 peer is asked then, and has so long to answer: as Go's servers and clients do. */
const PING_AFTER_MS = 30_000;
const PING_TIMEOUT_MS = 15_000;
/** What a peer has not taken for so long it will not take: the kernel alone would try for a quarter of an hour. */
const BLOCKED_WRITE_MS = 60_000;

/**
 * Hangs up on clients that have vanished without a word. A watch would otherwise hold its events, and its place among
 * the watches, until somebody writes to it and the kernel gives up.
 */
export class KeepAlive {
  readonly #options: KeepAliveOptions;
  readonly #sockets = new Set<Socket>();

  constructor(server: Http2SecureServer, options: KeepAliveOptions) {
    this.#options = options;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    });
    server.on('session', (session) => this.#ping(session));
    server.on('secureConnection', (socket) => {
      if (socket.alpnProtocol !== 'h2') this.#watchWrites(socket);
    });
  }

  /** Cuts whatever is still open after so long: also handshakes that never end, and peers that do not read. */
  hangUpAfter(ms: number): void {
    const { clock, logger } = this.#options;
    const cut = (): void => {
      if (this.#sockets.size === 0) return;
      logger.info('connections were cut because they did not close', { count: this.#sockets.size });
      for (const socket of this.#sockets) socket.destroy();
    };
    clock.setTimeout(cut, ms, { keepAlive: false });
  }

  #ping(session: ServerHttp2Session): void {
    const { clock, logger } = this.#options;
    let known = 0;
    const timer = watchLiveness(
      {
        // A session that was destroyed has no socket any more, although Node's types say so, and is closed only later.
        bytesRead: () => (known = (session.socket as Socket | undefined)?.bytesRead ?? known),
        ask: () => {
          if (!session.destroyed) session.ping(() => {});
        },
        onDead: () => {
          logger.info('a client has vanished; its connection is closed', {
            ms: PING_AFTER_MS + PING_TIMEOUT_MS,
          });
          session.destroy();
        },
      },
      { clock, idleMs: PING_AFTER_MS, timeoutMs: PING_TIMEOUT_MS },
    );
    session.once('close', () => timer.cancel());
  }

  /** A watch may be silent for hours; one with something to write, whose peer takes nothing, is dead. */
  #watchWrites(socket: TLSSocket): void {
    const { clock, logger } = this.#options;
    let written = socket.bytesWritten;
    let blockedLooks = 0;
    const look = (): void => {
      const isBlocked = socket.writableLength > 0 && socket.bytesWritten - socket.writableLength === written;
      written = socket.bytesWritten - socket.writableLength;
      blockedLooks = isBlocked ? blockedLooks + 1 : 0;
      if (blockedLooks >= 2) {
        logger.info('a client takes nothing any more; its connection is closed', { ms: BLOCKED_WRITE_MS });
        socket.destroy();
      } else timer = clock.setTimeout(look, BLOCKED_WRITE_MS / 2, { keepAlive: false });
    };
    let timer = clock.setTimeout(look, BLOCKED_WRITE_MS / 2, { keepAlive: false });
    socket.once('close', () => timer.cancel());
  }
}
