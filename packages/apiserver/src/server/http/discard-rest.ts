import { constants, type Http2ServerRequest } from 'node:http2';
import type { Clock } from '@windlass/base';
import { MAX_BODY_BYTES } from '../../request/body.ts';

/**
 * So much of an unwanted body is still read, for so long: as much as a body may have. A client that is cut off while it
 * sends may never see the answer.
 */
const MAX_DISCARDED_BYTES = MAX_BODY_BYTES + 64 * 1024;
const MAX_DISCARD_MS = 3000;

/**
 * Ends a request that is answered before its body has arrived, as a refused one is. What still comes is read and thrown
 * away. It begins before the answer is sent: Node ends a request of which nothing was read together with its answer, and
 * clients may then keep what they could not send. After that, a client that speaks HTTP/2 is told to stop; over HTTP/1.1 only the end of the connection says so.
 */
export function discardRest(request: Http2ServerRequest, clock: Clock): void {
  if (request.complete || request.method === 'GET' || request.method === 'HEAD') return;
  let size = 0;
  const { stream, socket } = request;
  const giveUp = (): void => {
    // Over HTTP/1.1 there is no stream, which the type does not say.
    if ((stream as typeof stream | undefined) === undefined) socket.destroy();
    else stream.close(constants.NGHTTP2_NO_ERROR);
  };
  const timer = clock.setTimeout(giveUp, MAX_DISCARD_MS, { keepAlive: false });
  const done = (): void => timer.cancel();
  request.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > MAX_DISCARDED_BYTES) giveUp();
  });
  request.on('error', done).once('end', done).once('close', done);
  request.resume();
}
