import type { RawWatchEvent } from '@windlass/apimachinery';
import { type Clock, type LinkedSignal, onAbort, type Timer } from '@windlass/base';

type Batch = readonly RawWatchEvent[];

/**
 * One stream as it is read, and the ways in which a read ends besides an event: silence, an interruption,
 * an abort. One timer watches for silence, set again only when it fires: a busy stream must not pay for
 * a timer each batch.
 */
export class OpenWatch {
  readonly openedAt: number;
  /** Changes whose versions are in no order: the first events of a watch from no version. */
  isUnordered: boolean;
  readonly #iterator: AsyncIterator<Batch>;
  readonly #cancel: LinkedSignal;
  readonly #clock: Clock;
  readonly #release: () => void;
  #silenceMs: number;
  #lastHeard: number;
  #timer: Timer | undefined;
  /** Ends the read that waits. */
  #end: ((how: 'silent' | 'interrupted') => void) | undefined = undefined;
  /** Read, but not taken yet. */
  #rest: Batch | undefined = undefined;

  constructor(options: {
    readonly events: AsyncIterable<Batch>;
    /** Aborts the request; disposed by `close`. */
    readonly cancel: LinkedSignal;
    readonly clock: Clock;
    readonly silenceMs: number;
    readonly isUnordered: boolean;
  }) {
    this.#iterator = options.events[Symbol.asyncIterator]();
    this.#cancel = options.cancel;
    this.#clock = options.clock;
    this.#silenceMs = options.silenceMs;
    this.isUnordered = options.isUnordered;
    this.openedAt = this.#clock.monotonic();
    this.#lastHeard = this.openedAt;
    this.#release = onAbort(this.#cancel.signal, () => this.interrupt());
    this.#watchForSilence(this.#silenceMs);
  }

  /** Undefined when the stream is over. Rejects when it breaks. */
  next(): Promise<Batch | 'silent' | 'interrupted' | undefined> {
    const rest = this.#rest;
    if (rest !== undefined) {
      this.#rest = undefined;
      return Promise.resolve(rest);
    }
    if (this.#cancel.signal.aborted) return Promise.resolve('interrupted');
    return new Promise((resolve, reject) => {
      this.#end = resolve;
      // When the read has ended otherwise, what comes of this is of no interest, not even its failure.
      this.#iterator.next().then((result) => {
        this.#end = undefined;
        resolve(result.done === true ? undefined : result.value);
      }, reject);
    });
  }

  /** What came counts as a sign of life. */
  heard(): void {
    this.#lastHeard = this.#clock.monotonic();
  }

  /** What the next read gives. */
  putBack(rest: Batch): void {
    if (rest.length > 0) this.#rest = rest;
  }

  /** From now on so much silence is too much. */
  allowSilence(ms: number): void {
    this.#silenceMs = ms;
    this.heard();
    this.#timer?.cancel();
    this.#watchForSilence(ms);
  }

  /** Ends the read that waits, if one does. */
  interrupt(): void {
    this.#end?.('interrupted');
    this.#end = undefined;
  }

  /** Resolves when the stream is gone. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#release();
    this.#cancel.abort();
    try {
      await this.#iterator.return?.();
    } catch {
      // It was to end, and it has.
    }
  }

  #watchForSilence(ms: number): void {
    this.#timer = this.#clock.setTimeout(
      () => {
        const left = this.#silenceMs - (this.#clock.monotonic() - this.#lastHeard);
        // Less than a millisecond is rounding, and too little for a clock to move by.
        if (left >= 1) this.#watchForSilence(left);
        else if (this.#end === undefined) this.#watchForSilence(this.#silenceMs);
        else {
          this.#end('silent');
          this.#end = undefined;
        }
      },
      ms,
      { keepAlive: false },
    );
  }
}
