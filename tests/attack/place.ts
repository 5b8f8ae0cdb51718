import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { onAbort, realClock } from '@windlass/base';

/** Where the server is. Always loopback. */
export interface Place {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** PEM of the authority that signed its certificate. */
  readonly ca: string;
}

interface Certificate {
  readonly cert?: string;
  readonly key?: string;
}

/** A TLS connection that speaks `alpn`; undefined when the server refuses it or takes longer than `timeoutMs`. */
export function dialTls(
  { host, port, ca }: Place,
  alpn: 'h2' | 'http/1.1',
  signal: AbortSignal,
  { cert, key }: Certificate = {},
  timeoutMs = 10_000,
): Promise<TLSSocket | undefined> {
  const identity = cert === undefined || key === undefined ? {} : { cert, key };
  const socket = connectTls({ host, port, ca, servername: 'localhost', ALPNProtocols: [alpn], ...identity });
  return connected(socket, 'secureConnect', signal, timeoutMs);
}

/** A TCP connection on which nothing was said yet; undefined when the server refuses it. */
export function dialPlain({ host, port }: Place, signal: AbortSignal): Promise<Socket | undefined> {
  return connected(connectPlain({ host, port }), 'connect', signal, 10_000);
}

function connected<T extends Socket>(
  socket: T,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  timeoutMs: number,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = realClock.setTimeout(() => socket.destroy(), timeoutMs);
    const off = onAbort(signal, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      timer.cancel();
      off();
      resolve(undefined);
    });
    socket.on(event, () => {
      timer.cancel();
      resolve(socket);
    });
  });
}
