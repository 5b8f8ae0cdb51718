import { once } from 'node:events';
import { constants, type Http2ServerResponse } from 'node:http2';
import type { ServerResponse } from '../../exchange/exchange.ts';

export interface SendStreamOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly isHead: boolean;
  readonly signal: AbortSignal;
}

/**
 * Passes on bytes as they come, such as what another server answers, as fast as the client reads them. When the other
 * side breaks off, so does this answer: the client must not take a part for the whole.
 */
export async function sendStream(
  response: Http2ServerResponse,
  answer: Extract<ServerResponse, { type: 'stream' }>,
  { headers, isHead, signal }: SendStreamOptions,
): Promise<void> {
  response.writeHead(answer.status, { ...headers, ...answer.headers });
  // Who follows a log must know that it stands, before anything is printed.
  flushHeaders(response);
  try {
    for await (const chunk of answer.body) {
      if (isHead || isGone(response) || signal.aborted) break;
      if (!response.write(chunk)) await drained(response);
    }
    response.end();
  } catch {
    breakOff(response);
  }
}

function breakOff(response: Http2ServerResponse): void {
  if (response.stream !== undefined) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  response.destroy();
}

function isGone(response: Http2ServerResponse): boolean {
  return response.stream === undefined ? response.destroyed : response.stream.destroyed;
}

/** Both kinds of response have it; the types of one forget it. */
function flushHeaders(response: object): void {
  if ('flushHeaders' in response && typeof response.flushHeaders === 'function') response.flushHeaders();
}

async function drained(response: Http2ServerResponse): Promise<void> {
  const closed = new AbortController();
  const stop = (): void => closed.abort();
  response.once('close', stop);
  try {
    await once(response, 'drain', { signal: closed.signal });
  } catch {
    // The client is gone: the loop sees it.
  } finally {
    response.off('close', stop);
  }
}
