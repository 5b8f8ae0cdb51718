import { createHash } from 'node:crypto';
import { wideJson } from '@windlass/apimachinery';
import { turnShare } from '@windlass/base';

/** So much of a document is put into bytes before others get their turn. */
const PIECE_BYTES = 64 * 1024;

export interface Gathered {
  readonly body: Uint8Array;
  /** SHA-512, as upper-case digits. */
  readonly hash: string;
}

/** All parts in one, with their hash. They are made one by one, and others get their turn between. */
export async function gathered(parts: Iterable<string | Uint8Array>): Promise<Gathered> {
  const pieces: Buffer[] = [];
  const hash = createHash('sha512');
  let piece: Uint8Array[] = [];
  let size = 0;
  const finish = (): void => {
    const bytes = Buffer.concat(piece, size);
    hash.update(bytes);
    pieces.push(bytes);
    piece = [];
    size = 0;
  };
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    piece.push(bytes);
    size += bytes.byteLength;
    if (size < PIECE_BYTES) continue;
    finish();
    await turnShare.take();
  }
  finish();
  return { body: Buffer.concat(pieces), hash: hash.digest('hex').toUpperCase() };
}

/** A JSON object in pieces, an entry each. */
export function* jsonObject(entries: readonly (readonly [string, object])[]): Generator<string> {
  let separator = '{';
  for (const [name, value] of entries) {
    yield `${separator}${JSON.stringify(name)}:${wideJson(value)}`;
    separator = ',';
  }
  yield entries.length === 0 ? '{}' : '}';
}
