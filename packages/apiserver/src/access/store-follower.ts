import type { DeepReadonly, KubeObject, ResourceType } from '@windlass/apimachinery';
import { isCancelled, type Logger } from '@windlass/base';
import { StoreClosedError } from '../storage/errors.ts';
import type { Store, StoredObject, StoreEvent, StoreKey } from '../storage/store.ts';
import { kindPrefix, objectOfKind } from '../storage/stored-kinds.ts';

export interface StoreFollowerOptions<T extends KubeObject> {
  readonly store: Store;
  readonly type: ResourceType<T>;
  readonly logger: Logger;
  /** The key's new state; undefined when it is gone. Also called for everything that is there at the start. */
  readonly onState: (key: StoreKey, object: DeepReadonly<T> | undefined) => void;
  /** After each batch, when everything in it was told. */
  readonly onSettled?: () => void;
}

/** A follower of any kind. */
export type Follower = Pick<StoreFollower<never>, 'start' | 'stop'>;

/**
 * Tells whoever keeps something in memory what the store has of a kind, from a first list on. When a
 * watch breaks off it lists again, and tells of the keys that went meanwhile.
 */
export class StoreFollower<T extends KubeObject> implements AsyncDisposable {
  readonly #options: StoreFollowerOptions<T>;
  readonly #prefix: string;
  readonly #stopping = new AbortController();
  readonly #known = new Set<StoreKey>();
  #running: Promise<void> | undefined = undefined;

  constructor(options: StoreFollowerOptions<T>) {
    this.#options = options;
    this.#prefix = kindPrefix(options.type);
  }

  /** Resolves when everything that is there has been told. */
  async start(): Promise<void> {
    const revision = await this.#list();
    this.#running = this.#follow(revision);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #list(): Promise<number> {
    const { store, onSettled } = this.#options;
    const { items, revision } = await store.list(this.#prefix, { cached: true });
    const gone = new Set(this.#known);
    for (const stored of items) {
      gone.delete(stored.key);
      this.#tell(stored.key, stored);
    }
    for (const key of gone) this.#tell(key, undefined);
    onSettled?.();
    return revision;
  }

  async #follow(fromRevision: number): Promise<void> {
    const { signal } = this.#stopping;
    let revision = fromRevision;
    while (!signal.aborted) {
      try {
        for await (const events of this.#options.store.watch(this.#prefix, {
          fromRevision: revision,
          signal,
        })) {
          for (const event of events) this.#apply(event);
          revision = events.at(-1)?.revision ?? revision;
          this.#options.onSettled?.();
        }
        return;
      } catch (error) {
        if (isCancelled(error) || error instanceof StoreClosedError || signal.aborted) return;
        this.#options.logger.warn('a watch of the store broke off; listing again', {
          prefix: this.#prefix,
          error,
        });
      }
      try {
        revision = await this.#list();
      } catch (error) {
        // Lists answer from memory: this one fails only when the store is closed.
        if (!(error instanceof StoreClosedError))
          this.#options.logger.error('the store could not be listed', { error });
        return;
      }
    }
  }

  #apply({ type, key, stored }: StoreEvent): void {
    this.#tell(key, type === 'put' ? stored : undefined);
  }

  #tell(key: StoreKey, stored: StoredObject | undefined): void {
    if (stored === undefined) this.#known.delete(key);
    else this.#known.add(key);
    const { type, onState } = this.#options;
    onState(key, stored === undefined ? undefined : objectOfKind(type, stored));
  }
}
