import { type Clock, nextTurn } from '@windlass/base';
import type { WorkItem, WorkQueue } from '@windlass/workqueue';
import type { Reason } from './reason.ts';

export interface WorkerPoolOptions<K> {
  readonly queue: WorkQueue<K, Reason>;
  readonly clock: Clock;
  /**
   * Works on the item and tells the queue when it is done; never throws. True when another worker has taken
   * this one's place meanwhile.
   */
  readonly process: (item: WorkItem<K, Reason>) => boolean | Promise<boolean>;
}

/** Workers let the rest of the program run after so many keys, or so many milliseconds. */
const KEYS_A_TURN = 500;
const MS_A_TURN = 5;

/**
 * Takes keys out of a queue, some at a time. A key that needs no waiting costs no promise, so the workers
 * must see to it themselves that sockets and timers get their turn.
 */
export class WorkerPool<K> {
  readonly #options: WorkerPoolOptions<K>;
  readonly #workers = new Set<Promise<void>>();
  #keysThisTurn = 0;
  #turnBegan = 0;
  #turn: Promise<void> | undefined = undefined;

  constructor(options: WorkerPoolOptions<K>) {
    this.#options = options;
  }

  /** One more worker. It ends when the queue is shut down, or when it was replaced. */
  add(): void {
    const worker = this.#work().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  /** Resolves when no worker is left. */
  async ended(): Promise<void> {
    await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    const { queue, clock, process } = this.#options;
    for (;;) {
      const item = queue.tryGet() ?? (await queue.get());
      if (item === undefined) return;
      const isReplaced = process(item);
      if (typeof isReplaced === 'boolean' ? isReplaced : await isReplaced) return;
      if (++this.#keysThisTurn >= KEYS_A_TURN || clock.monotonic() - this.#turnBegan >= MS_A_TURN)
        await this.#nextTurn();
    }
  }

  /** Workers share a turn: however many there are, the rest of the program waits no longer. */
  #nextTurn(): Promise<void> {
    this.#turn ??= nextTurn().then(() => {
      this.#turn = undefined;
      this.#keysThisTurn = 0;
      this.#turnBegan = this.#options.clock.monotonic();
    });
    return this.#turn;
  }
}
