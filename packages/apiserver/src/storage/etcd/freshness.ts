import { type Clock, DeadlineError, withDeadline } from '@windlass/base';
import { StorageUnavailableError } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { WatchCache } from './watch-cache.ts';

/** So many questions are under way at once; who comes then waits for the next one. */
const AT_ONCE = 4;
/** So long the cache may be behind. */
const BEHIND_MS = 5000;

/** How far etcd is. The key is asked for only because some key must be. */
export async function revisionOf(client: EtcdClient, prefix: string): Promise<number> {
  const { header } = await client.read('asking for the revision', (etcd) =>
    etcd.range({ key: Buffer.from(`${prefix}/`), countOnly: true }),
  );
  return header?.revision ?? 0;
}

/**
 * Lets reads of the cache see whatever anybody was answered before they began: each asks etcd for its revision, and waits
 * until the cache is there. Reads of one turn share a question; none shares one that was sent before it began.
 */
export class Freshness {
  readonly #ask: () => Promise<number>;
  readonly #cache: WatchCache;
  readonly #clock: Clock;
  readonly #onLoss: () => void;
  #next: PromiseWithResolvers<number> | undefined;
  #underWay = 0;

  /**
   * @param ask how far etcd is
   * @param onLoss told when that is less than what was there already: somebody has restored an older etcd
   */
  constructor(ask: () => Promise<number>, cache: WatchCache, clock: Clock, onLoss: () => void) {
    this.#onLoss = onLoss;
    this.#ask = ask;
    this.#cache = cache;
    this.#clock = clock;
  }

  /** @throws StorageUnavailableError */
  async latest(): Promise<void> {
    if (this.#next === undefined) {
      this.#next = Promise.withResolvers();
      if (this.#underWay < AT_ONCE) queueMicrotask(() => this.#send());
    }
    const revision = await this.#next.promise;
    if (revision <= this.#cache.state.revision) return;
    using deadline = withDeadline(this.#clock, BEHIND_MS, 'reading');
    try {
      await this.#cache.reach(revision, deadline.signal);
    } catch (error) {
      if (error instanceof DeadlineError) throw new StorageUnavailableError('reading', error);
      throw error;
    }
  }

  #send(): void {
    const question = this.#next;
    if (question === undefined || this.#underWay >= AT_ONCE) return;
    this.#next = undefined;
    this.#underWay++;
    this.#checked()
      .then(question.resolve, question.reject)
      .finally(() => {
        this.#underWay--;
        this.#send();
      });
  }

  async #checked(): Promise<number> {
    const before = this.#cache.state.revision;
    const revision = await this.#ask();
    if (revision >= before) return revision;
    this.#onLoss();
    throw new StorageUnavailableError(
      'reading',
      new RangeError(`etcd is at revision ${revision}, and was at ${before}`),
    );
  }
}
