import type { RawWatchEvent } from '@windlass/apimachinery';
import { abortError, onAbort, type Random } from '@windlass/base';

type Batch = readonly RawWatchEvent[];

export interface FakeStreamOptions {
  readonly signal: AbortSignal;
  readonly random: Random;
  /** The reader has gone, or the stream is over. */
  readonly onClose: () => void;
}

/** One watch as a server sees it. What was sent comes out in batches of any size. */
export class FakeStream implements AsyncIterableIterator<Batch> {
  readonly #random: Random;
  readonly #onClose: () => void;
  readonly #release: () => void;
  #queue: RawWatchEvent[] = [];
  #end: { readonly error: Error | undefined } | undefined = undefined;
  #isClosed = false;
  #isSilent = false;
  #wake: () => void = () => {};

  constructor({ signal, random, onClose }: FakeStreamOptions) {
    this.#random = random;
    this.#onClose = onClose;
    this.#release = onAbort(signal, () => this.fail(abortError(signal)));
  }

  get isOver(): boolean {
    return this.#isClosed || this.#end !== undefined;
  }

  send(event: RawWatchEvent): void {
    if (this.#isSilent || this.isOver) return;
    this.#queue.push(event);
    this.#wake();
  }

  /** It stays open and nothing comes any more, as when the other side's machine is gone. */
  silence(): void {
    this.#isSilent = true;
  }

  /** The server ends it. What was sent before still arrives. */
  end(): void {
    if (!this.#isSilent) this.#finish(undefined);
  }

  /** The connection breaks. What was sent before may or may not arrive. */
  fail(error: Error): void {
    if (this.#random.int(2) === 0)
      this.#queue = this.#queue.slice(0, this.#random.int(this.#queue.length + 1));
    this.#finish(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Batch, undefined>> {
    for (;;) {
      if (this.#isClosed) return { done: true, value: undefined };
      if (this.#queue.length > 0) {
        const value = this.#queue.splice(0, 1 + this.#random.int(this.#queue.length));
        return { done: false, value };
      }
      if (this.#end?.error !== undefined) throw this.#end.error;
      if (this.#end !== undefined) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<Batch, undefined>> {
    this.#isClosed = true;
    this.#finish(undefined);
    return { done: true, value: undefined };
  }

  #finish(error: Error | undefined): void {
    if (this.#end === undefined) {
      this.#end = { error };
      this.#release();
      this.#onClose();
    }
    this.#wake();
  }
}
