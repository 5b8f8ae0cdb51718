import { once } from 'node:events';
import type { Http2ServerResponse } from 'node:http2';
import { encodeWatchFrame, wideJson } from '@windlass/apimachinery';
import type { Clock } from '@windlass/base';
import type { ServerWatchEvent } from '../../exchange/exchange.ts';
import { bytesOf } from '../../storage/index.ts';
import type { EncodeOptions } from '../encode/encode.ts';
import { toMetadata, toTable } from '../encode/table.ts';
import { type ClientPatience, waitForClient } from './client-patience.ts';

export interface WatchWriteOptions extends EncodeOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  /** For the client to read what there was when the watch began. */
  readonly patience: ClientPatience;
}

/** Events as JSON lines, encoded once for all who watch the same thing and keep up. */
const ENCODED = new WeakMap<readonly ServerWatchEvent[], Buffer>();

/** Writes events until there are no more or the client is gone. */
export async function writeWatch(
  response: Http2ServerResponse,
  events: AsyncIterable<readonly ServerWatchEvent[]>,
  options: WatchWriteOptions,
): Promise<void> {
  const { form, headers } = options;
  const contentType =
    form.encoding === 'protobuf' ? 'application/vnd.kubernetes.protobuf;stream=watch' : 'application/json';
  response.writeHead(200, { ...headers, 'content-type': contentType });
  // The client must know that its watch stands before anything happens.
  flushHeaders(response);
  let isFirst = true;
  for await (const batch of events) {
    if (response.destroyed || options.signal?.aborted === true) break;
    const chunk = encodeBatch(batch, options, isFirst);
    isFirst = false;
    if (!response.write(chunk)) await drained(response, options);
  }
  response.end();
}

/** Both kinds of response have it; the types of one forget it. */
function flushHeaders(response: object): void {
  if ('flushHeaders' in response && typeof response.flushHeaders === 'function') response.flushHeaders();
}

async function drained(
  response: Http2ServerResponse,
  { clock, patience }: Pick<WatchWriteOptions, 'clock' | 'patience'>,
): Promise<void> {
  // A watch may wait for its client as long as it lasts.
  const stopWaiting = waitForClient({ clock, patience, limitMs: Number.POSITIVE_INFINITY }, () => {});
  const closed = new AbortController();
  const stop = (): void => closed.abort();
  response.once('close', stop);
  try {
    await once(response, 'drain', { signal: closed.signal });
  } catch {
    // The client is gone: the loop sees it.
  } finally {
    stopWaiting();
    response.off('close', stop);
  }
}

export function encodeBatch(
  batch: readonly ServerWatchEvent[],
  options: Omit<WatchWriteOptions, 'patience'>,
  isFirst: boolean,
): Buffer {
  const { form } = options;
  if (form.encoding === 'protobuf')
    return Buffer.concat(
      batch.map(({ type, object }) => {
        const isShown = form.as === 'metadata' && type !== 'ERROR';
        return encodeWatchFrame({ type, object: isShown ? toMetadata(object, form.version) : object });
      }),
    );
  if (form.as !== 'itself')
    return Buffer.from(
      batch.map((event, index) => transformed(event, options, isFirst && index === 0)).join(''),
    );
  const known = ENCODED.get(batch);
  if (known !== undefined) return known;
  const chunks: Buffer[] = [];
  for (const { type, object, stored } of batch) {
    if (stored === undefined) chunks.push(Buffer.from(`{"type":"${type}","object":${wideJson(object)}}\n`));
    else chunks.push(OPENINGS[type] ?? Buffer.from(`{"type":"${type}","object":`), bytesOf(stored), CLOSING);
  }
  const encoded = chunks.length === 1 ? (chunks[0] ?? CLOSING) : Buffer.concat(chunks);
  ENCODED.set(batch, encoded);
  return encoded;
}

const OPENINGS: Readonly<Record<string, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const CLOSING = Buffer.from('}\n');

function transformed(
  { type, object }: ServerWatchEvent,
  options: Omit<WatchWriteOptions, 'patience'>,
  isFirst: boolean,
): string {
  const { form, definition } = options;
  let shown: unknown = object;
  if (type !== 'ERROR' && definition !== undefined) {
    if (form.as === 'metadata') shown = toMetadata(object, form.version);
    else {
      const metadata = { resourceVersion: object.metadata?.resourceVersion ?? '' };
      shown = toTable(metadata, [object], {
        ...options,
        definition,
        version: form.version,
        withColumns: isFirst,
      });
    }
  }
  return `${wideJson({ type, object: shown })}\n`;
}
