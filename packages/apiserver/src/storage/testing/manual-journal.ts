import type { StorageFailedError } from '../errors.ts';
import type { Compaction, Journal } from '../journal.ts';
import type { WriteEvent } from '../states/write-event.ts';

interface Call {
  /** Of a probe. */
  readonly bytes: number | undefined;
  readonly writes: readonly WriteEvent[];
  readonly compaction: Compaction | undefined;
  readonly outcome: PromiseWithResolvers<void>;
}

/** A journal that answers when the test says so. */
export class ManualJournal implements Journal {
  readonly #calls: Call[] = [];
  #arrival = Promise.withResolvers<void>();
  closed = false;
  failure: StorageFailedError | undefined = undefined;

  append(writes: readonly WriteEvent[]): Promise<void> {
    return this.#call(writes, undefined);
  }

  compact(compaction: Compaction): Promise<void> {
    return this.#call([], compaction);
  }

  probe(bytes: number): Promise<void> {
    return this.#call([], undefined, bytes);
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  /** The call that waits for its answer; waits for one to come. */
  async next(): Promise<Call> {
    for (;;) {
      const call = this.#calls[0];
      if (call !== undefined) return call;
      await this.#arrival.promise;
    }
  }

  async succeed(): Promise<Call> {
    const call = await this.next();
    this.#calls.shift();
    call.outcome.resolve();
    return call;
  }

  async fail(error: Error): Promise<Call> {
    const call = await this.next();
    this.#calls.shift();
    call.outcome.reject(error);
    return call;
  }

  #call(writes: readonly WriteEvent[], compaction: Compaction | undefined, bytes?: number): Promise<void> {
    const outcome = Promise.withResolvers<void>();
    this.#calls.push({ writes, compaction, bytes, outcome });
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
    return outcome.promise;
  }
}
