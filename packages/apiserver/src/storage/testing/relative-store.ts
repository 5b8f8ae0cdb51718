// A store whose revisions count from where it was when it was opened: the contract suite writes them out, and an etcd that
// several tests share is never at 0 again.
import { CompactedError, FutureRevisionError, RevisionConflictError, SlowWatcherError } from '../errors.ts';
import { restamped } from '../states/stored-state.ts';
import type { Store, StoredObject, StoreEvent, StoreWatch } from '../store.ts';

export class RelativeStore implements Store {
  readonly #store: Store;
  readonly #base: number;
  readonly #objects = new WeakMap<StoredObject, StoredObject>();
  readonly #batches = new WeakMap<readonly StoreEvent[], readonly StoreEvent[]>();

  /** @param base the revision that is to be 0 */
  constructor(store: Store, base: number) {
    this.#store = store;
    this.#base = base;
  }

  get base(): number {
    return this.#base;
  }

  get id(): string {
    return this.#store.id;
  }

  get isShared(): boolean {
    return this.#store.isShared;
  }

  get servers(): Store['servers'] {
    return this.#store.servers;
  }

  get expiresEvents(): boolean {
    return this.#store.expiresEvents;
  }

  get failure(): Store['failure'] {
    return this.#store.failure;
  }

  get revision(): number {
    return this.#store.revision - this.#base;
  }

  get compactedRevision(): number {
    return Math.max(0, this.#store.compactedRevision - this.#base);
  }

  problem(): ReturnType<Store['problem']> {
    return this.#store.problem();
  }

  get: Store['get'] = (key, options = {}) =>
    this.#told(async () => this.#object(await this.#store.get(key, this.#options(options))));

  list: Store['list'] = (prefix, options = {}) =>
    this.#told(async () => {
      const { items, revision, remaining } = await this.#store.list(prefix, this.#options(options));
      return { items: items.map((item) => this.#objectOf(item)), revision: revision - this.#base, remaining };
    });

  put: Store['put'] = (key, object, expected) =>
    this.#told(async () => this.#objectOf(await this.#store.put(key, object, this.#absolute(expected))));

  delete: Store['delete'] = (key, expected) =>
    this.#told(async () => this.#objectOf(await this.#store.delete(key, this.#absolute(expected))));

  watch(prefix: string, options: Parameters<Store['watch']>[1]): StoreWatch {
    const fromRevision = options.fromRevision < 0 ? options.fromRevision : options.fromRevision + this.#base;
    const watch = this.#store.watch(prefix, { ...options, fromRevision });
    const base = this.#base;
    const relative: StoreWatch = {
      get progress() {
        return watch.progress - base;
      },
      nudge: () => watch.nudge(),
      next: () =>
        this.#told(async () => {
          const { done, value } = await watch.next();
          return done === true ? { done, value: undefined } : { done: false, value: this.#batch(value) };
        }),
      return: () => watch.return(),
      [Symbol.asyncIterator]: () => relative,
      [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
    };
    return relative;
  }

  compact: Store['compact'] = (revision) => this.#told(() => this.#store.compact(revision + this.#base));

  waitFor: Store['waitFor'] = (revision, signal) => this.#store.waitFor(revision + this.#base, signal);

  close(): Promise<void> {
    return this.#store.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** 0 means that there is none; what is no revision is refused as it is. */
  #absolute(revision: number): number {
    return revision > 0 ? revision + this.#base : revision;
  }

  #options<T extends { readonly revision?: number }>(options: T): T {
    const { revision } = options;
    return revision === undefined || revision < 0 ? options : { ...options, revision: revision + this.#base };
  }

  #object(stored: StoredObject | undefined): StoredObject | undefined {
    return stored && this.#objectOf(stored);
  }

  #objectOf(stored: StoredObject): StoredObject {
    const known = this.#objects.get(stored);
    if (known !== undefined) return known;
    const made = restamped(stored, stored.revision - this.#base);
    this.#objects.set(stored, made);
    return made;
  }

  #batch(batch: readonly StoreEvent[]): readonly StoreEvent[] {
    const known = this.#batches.get(batch);
    if (known !== undefined) return known;
    const made = batch.map(({ type, key, revision, stored, previous }) => ({
      type,
      key,
      revision: revision - this.#base,
      stored: this.#objectOf(stored),
      previous: this.#object(previous),
    }));
    this.#batches.set(batch, made);
    return made;
  }

  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#error(error);
    }
  }

  #error(error: unknown): unknown {
    const base = this.#base;
    if (error instanceof RevisionConflictError)
      return new RevisionConflictError(
        error.key,
        error.expected > 0 ? error.expected - base : 0,
        this.#object(error.current),
      );
    if (error instanceof CompactedError)
      return new CompactedError(error.requested - base, error.compacted - base);
    if (error instanceof FutureRevisionError)
      return new FutureRevisionError(error.requested - base, error.current - base);
    if (error instanceof SlowWatcherError) return new SlowWatcherError('', 0, error.resumeFrom - base);
    return error;
  }
}
