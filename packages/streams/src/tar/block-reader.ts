import { TarError } from './tar-header.ts';

/** Reads blocks out of bytes that come in pieces of any size. */
export class BlockReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes. Undefined at the end of the stream. */
  async read(size: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    for (let left = size; left > 0; ) {
      if (this.#rest.byteLength === 0 && !(await this.#fill())) return undefined;
      const piece = this.#take(left);
      left -= piece.byteLength;
      pieces.push(piece);
    }
    return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, size);
  }

  /** Hands on so many bytes as they come. @throws TarError when the stream ends before them */
  async *copy(size: number): AsyncGenerator<Buffer, void, undefined> {
    for (let left = size; left > 0; ) {
      if (this.#rest.byteLength === 0 && !(await this.#fill()))
        throw new TarError('Unexpected EOF in archive');
      const piece = this.#take(left);
      left -= piece.byteLength;
      yield piece;
    }
  }

  /** What comes after the end of the archive, so that who sends it does not wait. */
  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }

  /** Tells the source that nothing more is read. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #fill(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    this.#rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    return true;
  }

  #take(limit: number): Buffer {
    const piece = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(piece.byteLength);
    return piece;
  }
}
