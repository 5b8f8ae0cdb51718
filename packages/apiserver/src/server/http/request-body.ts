import type { Http2ServerRequest } from 'node:http2';
import {
  failureStatus,
  newBadRequest,
  newRequestEntityTooLarge,
  newTooManyRequests,
  StatusError,
} from '@windlass/apimachinery';
import { MAX_BODY_BYTES } from '../../request/body.ts';
import { type ClientWaitOptions, waitForClient } from './client-patience.ts';
import type { FairShare } from './fair-share.ts';

export interface BodyReaderOptions extends ClientWaitOptions {
  /** The bytes of all bodies that are in memory, by user. */
  readonly bytes: FairShare;
}

/** A body that was read. Its bytes count until `release` is called. */
export interface ReadBody {
  readonly body: Uint8Array | undefined;
  readonly release: () => void;
}

/**
 * Reads a body into memory, within the limits of size, time and memory. A refusal leaves the rest of the body unread:
 * `discardRest` ends the request after its answer.
 *
 * @param user whose share of the memory it takes; undefined for one whose share has no limit
 * @throws StatusError 413 when it is too large, 408 when it takes too long, 429 when the user has too many under way
 */
export function readRequestBody(
  request: Http2ServerRequest,
  user: string | undefined,
  signal: AbortSignal,
  options: BodyReaderOptions,
): Promise<ReadBody> {
  const { bytes, limitMs } = options;
  const chunks: Buffer[] = [];
  let size = 0;
  let held = 0;
  const release = (): void => {
    if (user !== undefined && held > 0) bytes.give(user, held);
    held = 0;
  };
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > MAX_BODY_BYTES) return Promise.reject(tooLarge());
  return new Promise<ReadBody>((resolve, reject) => {
    const end = (finish: () => void): void => {
      stopWaiting();
      request.off('data', onData).off('end', onEnd).off('error', onError).off('aborted', onAborted);
      signal.removeEventListener('abort', onAborted);
      finish();
    };
    const fail = (error: unknown): void =>
      end(() => {
        request.pause();
        release();
        reject(error);
      });
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) fail(tooLarge());
      else if (user !== undefined && !bytes.take(user, chunk.byteLength)) fail(tooManyBodies());
      else {
        held += user === undefined ? 0 : chunk.byteLength;
        chunks.push(chunk);
      }
    };
    const onEnd = (): void =>
      end(() => resolve({ body: size === 0 ? undefined : Buffer.concat(chunks, size), release }));
    const onAborted = (): void => fail(gone());
    const onError = onAborted;
    const stopWaiting = waitForClient(options, () => fail(late(limitMs)));
    request.on('data', onData).on('end', onEnd).on('error', onError).on('aborted', onAborted);
    signal.addEventListener('abort', onAborted, { once: true });
    if (signal.aborted) onAborted();
  });
}

function tooLarge(): StatusError {
  return newRequestEntityTooLarge(`limit is ${MAX_BODY_BYTES}`);
}

function tooManyBodies(): StatusError {
  return newTooManyRequests('Too many large requests of this user are under way, please try again later.', 1);
}

/** Nobody reads it. But it is no fault of the server, and so no error in its log. */
function gone(): StatusError {
  return newBadRequest('the client closed the connection before the body of the request had arrived');
}

function late(timeoutMs: number): StatusError {
  return new StatusError(
    failureStatus(408, 'Timeout', `the body of the request did not arrive within ${timeoutMs / 1000} s`, {}),
  );
}
