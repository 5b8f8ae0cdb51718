import type { Socket } from 'node:net';
import { type Clock, watchLiveness } from '@windlass/base';
import type { buildConnector } from 'undici';

/** After so long in silence the server is asked; so long it may take to answer. As client-go's defaults. */
export const DEFAULT_PING: Readonly<Record<'pingAfterMs' | 'pingTimeoutMs', number>> = Object.freeze({
  pingAfterMs: 30_000,
  pingTimeoutMs: 15_000,
});

export interface PingOptions {
  readonly clock: Clock;
  /** 0: never. */
  readonly pingAfterMs: number;
  readonly pingTimeoutMs: number;
}

/** The part of node:http2's session that we use. */
interface Session {
  ping(callback: () => void): boolean;
  destroy(error: Error): void;
  readonly destroyed: boolean;
}

/**
 * Makes connections as `connect` does, and asks the server on each one that speaks HTTP/2 and has fallen silent for a
 * ping's answer. Without one the connection is closed, and all that runs on it fails at once: a network that drops
 * packets, or a proxy that has stopped, says nothing by itself. HTTP/1.1 has no ping; there TCP's keep-alive and the
 * limits of requests and watches are left.
 */
export function withPing(connect: buildConnector.connector, options: PingOptions): buildConnector.connector {
  if (options.pingAfterMs === 0) return connect;
  return (target, callback) =>
    connect(target, (...result) => {
      const [error, socket] = result;
      // With an error there is no socket, whatever the types say.
      if (error === null && 'alpnProtocol' in socket && socket.alpnProtocol === 'h2') ping(socket, options);
      callback(...result);
    });
}

function ping(socket: Socket, { clock, pingAfterMs, pingTimeoutMs }: PingOptions): void {
  const timer = watchLiveness(
    {
      bytesRead: () => socket.bytesRead,
      ask: () => {
        const session = sessionOf(socket);
        if (session?.destroyed === false) session.ping(() => {});
      },
      onDead: () => {
        const error = new Error(
          `nothing came for ${pingAfterMs} ms, and no answer to a ping within ${pingTimeoutMs} ms; the connection is taken for dead`,
        );
        sessionOf(socket)?.destroy(error);
        socket.destroy(error);
      },
    },
    { clock, idleMs: pingAfterMs, timeoutMs: pingTimeoutMs },
  );
  socket.once('close', () => timer.cancel());
}

/**
 * The session on a socket. The HTTP library makes it and keeps it to itself, but for a property of the socket whose
 * key is a symbol of its own.
 */
function sessionOf(socket: Socket): Session | undefined {
  for (const key of Object.getOwnPropertySymbols(socket)) {
    const value: unknown = Reflect.get(socket, key);
    if (isSession(value)) return value;
  }
  return undefined;
}

function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && 'ping' in value && typeof value.ping === 'function';
}
