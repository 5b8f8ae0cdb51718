import { constants } from 'node:buffer';
import { TransportError } from '../errors.ts';
import type { ManagedFieldsSharing } from './managed-fields-sharing.ts';

const MIN_CHUNK_BYTES = 16 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;

/**
 * The bytes of an answer as the value they stand for: JSON decoded, anything else as bytes, nothing as
 * undefined. A promise only when there is something to unpack: a small answer waits for no turn.
 */
export function decodeBody(
  chunks: readonly Buffer[],
  headers: Readonly<Record<string, string>>,
  what: string,
  sharing: ManagedFieldsSharing,
): unknown {
  if (chunks.length === 0) return undefined;
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  if (headers['content-encoding'] !== 'gzip') return decodeBytes(bytes, headers, what, sharing);
  return gunzip(bytes, what).then((plain) => decodeBytes(plain, headers, what, sharing));
}

function decodeBytes(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  what: string,
  sharing: ManagedFieldsSharing,
): unknown {
  if (!isJson(headers['content-type'])) return bytes;
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new TransportError(
      `${what} was answered with ${bytes.length} bytes, more than one text can hold; list in pages`,
      { code: 'BAD_RESPONSE', sent: true },
    );
  }
  try {
    return sharing.parse(bytes.toString());
  } catch {
    // The parser's message quotes the text, and an object may be a Secret.
    throw new TransportError(
      `${what} was answered with ${bytes.length} bytes that are not the JSON they claim to be`,
      {
        code: 'BAD_RESPONSE',
        sent: true,
      },
    );
  }
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType);
}

async function gunzip(bytes: Buffer, what: string): Promise<Buffer> {
  const zlib = await import('node:zlib');
  return new Promise((resolve, reject) => {
    // Each chunk is a way to another thread and back: with the usual 16 kB, 16 MB take 42 ms instead of 10.
    const chunkSize = Math.min(MAX_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, bytes.length * 16));
    zlib.gunzip(bytes, { chunkSize }, (cause, plain) => {
      if (cause === null) resolve(plain);
      else
        reject(
          new TransportError(`${what} was answered with broken gzip`, {
            code: 'BAD_RESPONSE',
            sent: true,
            cause,
          }),
        );
    });
  });
}
