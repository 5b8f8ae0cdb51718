import { type Http2ServerResponse, constants as http2 } from 'node:http2';
import { constants, createGzip } from 'node:zlib';
import { turnShare } from '@windlass/base';
import type { EncodedBody } from '../encode/encode.ts';
import { type ClientWaitOptions, waitForClient } from './client-patience.ts';

/** A client that reads nothing for `limitMs` is hung up on. */
export interface SendOptions extends ClientWaitOptions {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the client takes an answer that is packed by gzip. */
  readonly acceptsGzip: boolean;
  readonly isHead: boolean;
  /** Called when the whole answer is written, and only the client has yet to read it. */
  readonly onWritten: () => void;
}

/** Answers below this size are sent as they are: packing them costs more than it saves. */
const GZIP_FROM_BYTES = 128 * 1024;

/**
 * Sends an answer, and resolves when the client has it or is gone. A body of several pieces is made while it is sent:
 * the next piece is made when the client has read the one before, and other requests get their turn between. So a long
 * list neither stalls the server nor fills its memory for a client that does not read.
 */
export async function send(
  response: Http2ServerResponse,
  { contentType, chunks }: EncodedBody,
  options: SendOptions,
): Promise<void> {
  if (isGone(response)) return;
  const pieces = chunks[Symbol.iterator]();
  const first = pieces.next();
  const second = first.done === true ? first : pieces.next();
  const isWhole = second.done === true;
  const piece: Uint8Array = first.done === true ? Buffer.alloc(0) : first.value;
  const isPacked = options.acceptsGzip && (!isWhole || piece.byteLength >= GZIP_FROM_BYTES);
  response.writeHead(options.status, {
    ...options.headers,
    'content-type': contentType,
    ...(isPacked && { 'content-encoding': 'gzip', vary: packedVary(options.headers['vary']) }),
    ...(isWhole && !isPacked && { 'content-length': String(piece.byteLength) }),
  });
  if (options.isHead) response.end();
  else if (isWhole && !isPacked) response.end(piece);
  else {
    const target: Target = isPacked ? packed(response) : response;
    if (await writePieces(target, response, [piece], options))
      if (isWhole || (await writePieces(target, response, rest(second.value, pieces), options))) target.end();
  }
  options.onWritten();
  if (!isGone(response)) await finished(response, options);
}

/** A cache must know that the answer depends on both. */
function packedVary(vary: string | undefined): string {
  return vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
}

function* rest(second: Uint8Array, others: Iterator<Uint8Array>): Generator<Uint8Array> {
  yield second;
  for (let next = others.next(); next.done !== true; next = others.next()) yield next.value;
}

/** What both the response and what packs it can do. */
interface Target {
  write(piece: Uint8Array): boolean;
  end(): void;
  once(event: 'drain', listener: () => void): unknown;
  off(event: 'drain', listener: () => void): unknown;
}

function packed(response: Http2ServerResponse): Target {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  gzip.on('error', () => response.destroy());
  response.on('close', () => gzip.destroy());
  gzip.pipe(response);
  return gzip;
}

/** False when the client has gone. */
async function writePieces(
  target: Target,
  response: Http2ServerResponse,
  pieces: Iterable<Uint8Array>,
  options: SendOptions,
): Promise<boolean> {
  for (const piece of pieces) {
    if (isGone(response)) return false;
    // An empty piece only gives others their turn.
    if (piece.byteLength > 0 && !target.write(piece) && !(await drained(target, response, options)))
      return false;
    await turnShare.take();
  }
  return !isGone(response);
}

/** False when the client has gone, or has not read anything for too long. */
function drained(target: Target, response: Http2ServerResponse, options: SendOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDrained: boolean): void => {
      stopWaiting();
      target.off('drain', onDrain);
      response.off('close', onClose);
      resolve(isDrained);
    };
    const onDrain = (): void => end(true);
    const onClose = (): void => end(false);
    const stopWaiting = waitForClient(options, () => {
      hangUp(response);
      end(false);
    });
    target.once('drain', onDrain);
    response.once('close', onClose);
  });
}

/** Resolves when everything was handed to the client, or the client has gone. */
function finished(response: Http2ServerResponse, options: SendOptions): Promise<void> {
  return new Promise((resolve) => {
    let stopWaiting = (): void => {};
    const end = (): void => {
      stopWaiting();
      response.off('finish', end).off('close', end);
      resolve();
    };
    const watchStall = (): void => {
      const before = response.writableLength;
      stopWaiting = waitForClient(options, () => {
        if (response.writableLength === before && response.writableEnded) hangUp(response);
        else watchStall();
      });
    };
    response.on('finish', end).on('close', end);
    watchStall();
  });
}

/** Over HTTP/2 only the stream tells. */
function isGone(response: Http2ServerResponse): boolean {
  return response.stream === undefined ? response.destroyed : response.stream.destroyed;
}

/** Ends an answer that nobody reads. */
export function hangUp(response: Http2ServerResponse): void {
  if (response.stream !== undefined) response.stream.close(http2.NGHTTP2_CANCEL);
  response.destroy();
}
