import { constants } from 'node:buffer';
import { toError } from '@windlass/base';
import { TransportError } from '../errors.ts';
import { ListDecoder } from './list-decoder.ts';
import type { ManagedFieldsSharing } from './managed-fields-sharing.ts';

/** More than this is read piece by piece. */
const LONG_BYTES = 1024 * 1024;

/** Each chunk is a way to another thread and back: with the usual 16 kB, 16 MB take 42 ms instead of 10. */
const MIN_CHUNK_BYTES = 16 * 1024;
const MAX_CHUNK_BYTES = 256 * 1024;

type Headers = Readonly<Record<string, string>>;

/**
 * The bytes of an answer as the value they stand for: JSON decoded, anything else as bytes, nothing as
 * undefined. A promise only when there is something to unpack: a small answer waits for no turn.
 */
export function decodeBody(
  chunks: readonly Buffer[],
  headers: Headers,
  what: string,
  sharing: ManagedFieldsSharing,
): unknown {
  if (chunks.length === 0) return undefined;
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (headers['content-encoding'] === 'gzip')
    return unpacked(chunks, length, isJson(headers) ? new ListDecoder(sharing) : undefined, what);
  if (!isJson(headers)) return Buffer.concat(chunks, length);
  if (length <= LONG_BYTES)
    return parsed(() => sharing.parse(Buffer.concat(chunks, length).toString()), length, what);
  return parsed(() => decoded(chunks, new ListDecoder(sharing)), length, what);
}

function decoded(chunks: readonly Buffer[], decoder: ListDecoder): unknown {
  for (const chunk of chunks) decoder.push(chunk);
  return decoder.end();
}

function isJson({ 'content-type': type }: Headers): boolean {
  return type !== undefined && /^application\/(?:[\w.-]+\+)?json\b/i.test(type);
}

/** The parser's message quotes the text, and an object may be a Secret. */
function parsed(parse: () => unknown, length: number, what: string): unknown {
  try {
    return parse();
  } catch {
    const problem =
      length > constants.MAX_STRING_LENGTH
        ? `${length} bytes, more than one text can hold; list in pages`
        : `${length} bytes that are not the JSON they claim to be`;
    throw new TransportError(`${what} was answered with ${problem}`, { code: 'BAD_RESPONSE', sent: true });
  }
}

async function unpacked(
  chunks: readonly Buffer[],
  length: number,
  decoder: ListDecoder | undefined,
  what: string,
): Promise<unknown> {
  const zlib = await import('node:zlib');
  const chunkSize = Math.min(MAX_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, length * 16));
  const gunzip = zlib.createGunzip({ chunkSize });
  const plain: Buffer[] = [];
  let plainLength = 0;
  try {
    for (const chunk of chunks) gunzip.write(chunk);
    gunzip.end();
    // Without an encoding a stream gives buffers.
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      plainLength += chunk.length;
      if (decoder === undefined) plain.push(chunk);
      else decoder.push(chunk);
    }
  } catch (thrown) {
    throw new TransportError(`${what} was answered with broken gzip`, {
      code: 'BAD_RESPONSE',
      sent: true,
      cause: toError(thrown),
    });
  }
  if (decoder === undefined) return Buffer.concat(plain, plainLength);
  return parsed(() => decoder.end(), plainLength, what);
}
