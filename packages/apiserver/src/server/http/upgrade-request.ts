import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '@windlass/base';
import { isUpgradeRequest, type RequestHeaders } from '@windlass/streams';

const PROTOCOLS: ReadonlySet<string> = new Set(['websocket', 'spdy/3.1']);

/** Whether it is one of the protocols that are spoken here. A request for another one is answered as any other. */
export function isStreamUpgrade(headers: RequestHeaders): boolean {
  const { upgrade } = headers;
  return isUpgradeRequest(headers) && typeof upgrade === 'string' && PROTOCOLS.has(upgrade.toLowerCase());
}

/**
 * A request whose connection Node has let go of, and an answer for it. The connection ends with the answer, unless it
 * is given another protocol.
 */
export function requestOf(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): { readonly request: Http2ServerRequest; readonly response: Http2ServerResponse } {
  if (head.byteLength > 0) socket.unshift(head);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // Node hands out the socket of the connection, whose type is that of any stream.
  response.assignSocket(socket as Socket);
  response.once('finish', () => socket.end());
  // The connection may fail at any time, and nobody else listens.
  socket.on('error', () => socket.destroy());
  // The front serves HTTP/1.1 with the types of HTTP/2, as Node's server of both does.
  const asked = request as unknown as Http2ServerRequest;
  // So it does with answers.
  const answer = response as unknown as Http2ServerResponse;
  return { request: asked, response: answer };
}

/** Answers that the protocol changes. The connection speaks the new one from then on. */
export function switchProtocols(
  response: Http2ServerResponse,
  headers: Readonly<Record<string, string>>,
): Socket {
  // Only answers of `requestOf` get here, which have a socket of their own.
  const answer = response as unknown as ServerResponse;
  const { socket } = answer;
  if (socket === null) throw new TypeError('an answer without a connection cannot change its protocol');
  const auditId = answer.getHeader('audit-id');
  answer.detachSocket(socket);
  const lines = Object.entries({ ...headers, ...(typeof auditId === 'string' && { 'audit-id': auditId }) });
  const text = lines.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, ' ')}\r\n`).join('');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${text}\r\n`);
  return socket;
}

/** As a kubelet's. */
const STREAM_IDLE_MS = 4 * 3600_000;

/**
 * Hangs up on a connection on which nothing was read or written for a period.
 * @returns the way to take that back
 */
export function hangUpWhenIdle(
  socket: Pick<Socket, 'bytesRead' | 'bytesWritten' | 'destroy'>,
  clock: Clock,
  idleMs: number = STREAM_IDLE_MS,
): () => void {
  let seen = socket.bytesRead + socket.bytesWritten;
  const look = (): void => {
    const now = socket.bytesRead + socket.bytesWritten;
    if (now === seen) {
      socket.destroy();
      return;
    }
    seen = now;
    timer = clock.setTimeout(look, idleMs, { keepAlive: false });
  };
  let timer = clock.setTimeout(look, idleMs, { keepAlive: false });
  return () => timer.cancel();
}

/** A peer that has not ended its side so long after ours is hung up on. */
const LINGER_MS = 2000;

/** Ends a connection when all that was written has been sent. */
export function endConnection(socket: Duplex, clock: Clock): void {
  if (socket.destroyed) return;
  const timer = clock.setTimeout(() => socket.destroy(), LINGER_MS, { keepAlive: false });
  socket.once('close', () => timer.cancel());
  socket.once('end', () => socket.end(() => socket.destroy()));
  // What still comes is thrown away, or its end would not be seen.
  socket.resume();
  socket.end();
}
