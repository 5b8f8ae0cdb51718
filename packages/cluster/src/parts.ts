import { type Clock, type Logger, toError } from '@windlass/base';

export interface StopLimits {
  /** So long parts stop one after the other, each when the one before has. */
  readonly inOrderMs: number;
  /** So long all that are left have together, from then on. */
  readonly togetherMs: number;
}

interface Part {
  readonly name: string;
  readonly stop: () => Promise<void>;
}

/**
 * What was started and must be stopped, by name. What was started last stops first. A part that does not end holds up
 * nothing but itself: when the time is over the others are told to stop at once, and the late are named.
 */
export class Parts {
  readonly #parts: Part[] = [];
  readonly #ending = new Set<Promise<void>>();
  readonly #environment: { readonly clock: Clock; readonly logger: Logger };

  constructor(environment: { readonly clock: Clock; readonly logger: Logger }) {
    this.#environment = environment;
  }

  use<T extends AsyncDisposable>(name: string, part: T): T {
    this.defer(name, () => part[Symbol.asyncDispose]());
    return part;
  }

  defer(name: string, stop: () => PromiseLike<void>): void {
    this.#parts.push({ name, stop: async () => stop() });
  }

  /** Resolves when everything has stopped, or when the time is over; with the names of what has not. Never rejects. */
  async stop(limits: StopLimits): Promise<readonly string[]> {
    const { clock, logger } = this.#environment;
    const late = new Set<string>();
    const isInTime = await within(clock, limits.inOrderMs, this.#stopInOrder(late));
    if (!isInTime) {
      const others = this.#parts.splice(0).map((part) => this.#stop(part, late));
      await within(clock, limits.togetherMs, Promise.all([...this.#ending, ...others]));
    }
    if (late.size > 0) logger.error('parts did not stop in time and are left alone', { late: [...late] });
    return [...late];
  }

  async #stopInOrder(late: Set<string>): Promise<void> {
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop())
      await this.#stop(part, late);
  }

  #stop(part: Part, late: Set<string>): Promise<void> {
    const { logger } = this.#environment;
    late.add(part.name);
    const stop = async (): Promise<void> => {
      try {
        await part.stop();
      } catch (error) {
        logger.error('a part failed while it was stopped', { part: part.name, error: toError(error) });
      }
      late.delete(part.name);
    };
    const ended = stop().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
    return ended;
  }
}

/** False when the time was over first. */
async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = Promise.withResolvers<false>();
  const timer = clock.setTimeout(() => over.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), over.promise]);
  } finally {
    timer.cancel();
  }
}
