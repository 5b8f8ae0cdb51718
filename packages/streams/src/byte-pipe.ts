/** So many bytes wait in a pipe before its writer has to. */
export const DEFAULT_PIPE_BYTES = 256 * 1024;

/**
 * Bytes from one writer to one reader, in order. What is written waits in memory until it is read. The writer is told
 * when there is too much of it, and must wait then: so a slow reader slows its writer down, all the way to the peer.
 */
export class BytePipe implements AsyncIterable<Uint8Array> {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #isEnded = false;
  #isUnread = false;
  #error: Error | undefined = undefined;
  #onData: (() => void) | undefined = undefined;
  #onRoom: (() => void)[] = [];

  constructor(limit: number = DEFAULT_PIPE_BYTES) {
    this.#limit = limit;
  }

  /** Bytes that wait to be read. */
  get size(): number {
    return this.#size;
  }

  /** Resolves when there is room for more. What comes after the end, or when nobody reads any more, is dropped. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isEnded || this.#isUnread || bytes.byteLength === 0) return;
    this.#chunks.push(bytes);
    this.#size += bytes.byteLength;
    this.#wakeReader();
    if (this.#size <= this.#limit) return;
    await new Promise<void>((resolve) => this.#onRoom.push(resolve));
  }

  /** The reader gets what is there already, and then the end or the error. Idempotent: the first one counts. */
  end(error?: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#error = error;
    this.#wakeReader();
    this.#wakeWriters();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) {
          this.#size -= chunk.byteLength;
          if (this.#size <= this.#limit) this.#wakeWriters();
          yield chunk;
        } else if (!this.#isEnded) {
          await new Promise<void>((resolve) => {
            this.#onData = resolve;
          });
        } else if (this.#error !== undefined) throw this.#error;
        else return;
      }
    } finally {
      this.#isUnread = true;
      this.#chunks.length = 0;
      this.#size = 0;
      this.#wakeWriters();
    }
  }

  #wakeReader(): void {
    const wake = this.#onData;
    this.#onData = undefined;
    wake?.();
  }

  #wakeWriters(): void {
    const waiting = this.#onRoom;
    this.#onRoom = [];
    for (const wake of waiting) wake();
  }
}
