import { type Clock, isCancelled, type Logger, sleep, toError } from '@windlass/base';
import { LeadershipLostError } from '../errors.ts';
import type { Manager } from '../manager/manager.ts';

export interface ShardSlotOptions {
  /** A new one each time: a manager runs once. */
  readonly createManager: () => Promise<Manager>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long to wait after the lease was lost. */
  readonly retryMs: number;
  readonly onError: (error: Error) => void;
}

/** This replica's part in one shard: waits for its lease, works, and gives it back. */
export class ShardSlot {
  readonly #options: ShardSlotOptions;
  #stopping: AbortController | undefined = undefined;
  #running: Promise<void> = Promise.resolve();
  #manager: Manager | undefined = undefined;

  constructor(options: ShardSlotOptions) {
    this.#options = options;
  }

  /** Whether this replica may work on the shard now. */
  get isHeld(): boolean {
    return this.#manager?.isLeading ?? false;
  }

  want(): void {
    if (this.#stopping !== undefined) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#running = this.#running.then(() => this.#run(stopping.signal));
  }

  /** Resolves when the work has ended and the lease is free, or will run out by itself. */
  async drop(): Promise<void> {
    this.#stopping?.abort();
    this.#stopping = undefined;
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { createManager, clock, logger, retryMs, onError } = this.#options;
    try {
      while (!signal.aborted) {
        try {
          this.#manager = await createManager();
          await this.#manager.run(signal);
        } catch (error) {
          if (!(error instanceof LeadershipLostError)) throw error;
          logger.warn('the lease of the shard is lost; it is tried for again', { error });
        } finally {
          this.#manager = undefined;
        }
        if (!signal.aborted) await sleep(clock, retryMs, signal);
      }
    } catch (thrown) {
      if (!(signal.aborted && isCancelled(thrown))) onError(toError(thrown));
    }
  }
}
