// What another server has answered, for a caller in this process.
import type { RawWatchEvent } from '@windlass/apimachinery';
import { newInternalError } from '@windlass/apimachinery';
import type { ServerResponse } from '../exchange/exchange.ts';

/** An answer is read into memory up to this size, and so is one event of a watch. */
const MAX_BYTES = 256 * 1024 * 1024;
const NEWLINE = 0x0a;
/** One value of JSON, as `application/json` and `application/status+json` are and `application/x-ndjson` is not. */
const JSON_TYPE = /^[^/;]+\/(?:[^;]*\+)?json\s*(?:;|$)/i;

/** The decoded JSON; bytes when it is something else; undefined when it is empty. */
export async function streamedValue({
  headers = {},
  body,
}: Extract<ServerResponse, { type: 'stream' }>): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, size);
  if (size === 0) return undefined;
  return JSON_TYPE.test(headers['content-type'] ?? '') ? JSON.parse(bytes.toString('utf8')) : bytes;
}

/** The events of a watch, of which each is a line: as many as arrived together. */
export async function* streamedEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly RawWatchEvent[]> {
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end === -1) {
      rest = Buffer.concat([rest, chunk]);
      if (rest.byteLength > MAX_BYTES) throw tooLarge();
      continue;
    }
    const lines = Buffer.concat([rest, chunk.subarray(0, end)])
      .toString('utf8')
      .split('\n');
    rest = Buffer.from(chunk.subarray(end + 1));
    // The other server's contract: a watch is made of such events.
    yield lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as RawWatchEvent);
  }
}

function tooLarge(): Error {
  return newInternalError(new Error(`the answer of an APIService has more than ${MAX_BYTES} bytes`));
}
