// The header blocks of SPDY/3.1: names and values with their lengths, packed by zlib. All blocks of one direction are
// one zlib stream, so each must be packed and unpacked in its turn.
import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { StreamProtocolError } from '../errors.ts';
import { HEADER_DICTIONARY } from './dictionary.ts';

/** By lower-case name. Of a name with several values, these stand one after the other with commas. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** A block that unpacks to more is refused: a few bytes may unpack to any number. */
const MAX_BLOCK_BYTES = 64 * 1024;
const MAX_HEADERS = 100;

export function encodeHeaderBlock(headers: SpdyHeaders): Buffer {
  const parts: Buffer[] = [lengthOf(headers.size)];
  for (const [name, value] of headers)
    for (const text of [Buffer.from(name.toLowerCase()), Buffer.from(value)])
      parts.push(lengthOf(text.byteLength), text);
  return Buffer.concat(parts);
}

/** @throws StreamProtocolError when the bytes are no header block */
export function decodeHeaderBlock(block: Buffer): SpdyHeaders {
  let at = 0;
  const number = (): number => {
    if (at + 4 > block.byteLength) throw cutOff();
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const length = number();
    if (at + length > block.byteLength) throw cutOff();
    at += length;
    return block.toString('utf8', at - length, at);
  };
  const count = number();
  if (count > MAX_HEADERS) throw new StreamProtocolError(`${count} headers are more than ${MAX_HEADERS}`);
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const name = text().toLowerCase();
    // Values of the same name are separated by zeros.
    const value = text().replaceAll('\0', ',');
    if (name === '' || headers.has(name))
      throw new StreamProtocolError('a header has no name, or is there twice');
    headers.set(name, value);
  }
  return headers;
}

/** Packs the blocks of one direction. Call it for one block at a time. */
export class HeaderPacker {
  readonly #deflate: Deflate = createDeflate({
    dictionary: HEADER_DICTIONARY,
    flush: constants.Z_SYNC_FLUSH,
  });

  pack(headers: SpdyHeaders): Promise<Buffer> {
    return through(this.#deflate, encodeHeaderBlock(headers), MAX_BLOCK_BYTES);
  }

  close(): void {
    this.#deflate.destroy();
  }
}

/** Unpacks the blocks of one direction, one at a time and in their order. */
export class HeaderUnpacker {
  readonly #inflate: Inflate = createInflate({
    dictionary: HEADER_DICTIONARY,
    flush: constants.Z_SYNC_FLUSH,
    finishFlush: constants.Z_SYNC_FLUSH,
  });

  /** @throws StreamProtocolError when it is none, or too large */
  async unpack(block: Uint8Array): Promise<SpdyHeaders> {
    return decodeHeaderBlock(await through(this.#inflate, block, MAX_BLOCK_BYTES));
  }

  close(): void {
    this.#inflate.destroy();
  }
}

/** What comes out of `codec` for these bytes. They are flushed, so that it is all of it. */
function through(codec: Deflate | Inflate, bytes: Uint8Array, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (finish: () => void): void => {
      codec.off('data', onData).off('error', onError).off('close', onClose);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limit) return;
      end(() => reject(new StreamProtocolError(`a header block has more than ${limit} bytes`)));
      codec.destroy();
    };
    const onError = (error: Error): void =>
      end(() => reject(new StreamProtocolError(`a header block cannot be read: ${error.message}`)));
    const onClose = (): void => end(() => reject(new StreamProtocolError('the headers are closed')));
    codec.on('data', onData).on('error', onError).on('close', onClose);
    // An error is told by the event too.
    codec.write(bytes, (error) => {
      if (error === undefined || error === null) end(() => resolve(Buffer.concat(chunks, size)));
    });
  });
}

function lengthOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function cutOff(): StreamProtocolError {
  return new StreamProtocolError('a header block is cut off');
}
