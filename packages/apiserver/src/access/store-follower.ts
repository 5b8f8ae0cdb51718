import { type DeepReadonly, type KubeObject } from '@windlass/apimachinery';
import { isCancelled, type Logger } from '@windlass/base';
import { StoreClosedError } from '../storage/errors.ts';
import type { Store, StoreEvent, StoreKey } from '../storage/store.ts';

export interface StoreFollowerOptions {
  readonly store: Store;
  readonly prefix: string;
  readonly logger: Logger;
  /** The key's new state; undefined when it is gone. Also called for everything that is there at the start. */
  readonly onState: (key: StoreKey, object: DeepReadonly<KubeObject> | undefined) => void;
  /** After each batch, when everything in it was told. */
  readonly onSettled?: () => void;
}

/**
 * Tells whoever keeps something in memory what the store has under a prefix, from a first list on. When a
 * watch breaks off it lists again, and tells of the keys that went meanwhile.
 */
export class StoreFollower implements AsyncDisposable {
  readonly #options: StoreFollowerOptions;
  readonly #stopping = new AbortController();
  readonly #known = new Set<StoreKey>();
  #running: Promise<void> | undefined = undefined;

  constructor(options: StoreFollowerOptions) {
    this.#options = options;
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
    const { store, prefix, onSettled } = this.#options;
    const { items, revision } = await store.list(prefix);
    const gone = new Set(this.#known);
    for (const { key, object } of items) {
      gone.delete(key);
      this.#tell(key, object);
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
        for await (const events of this.#options.store.watch(this.#options.prefix, {
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
          prefix: this.#options.prefix,
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
    this.#tell(key, type === 'put' ? stored.object : undefined);
  }

  #tell(key: StoreKey, object: DeepReadonly<KubeObject> | undefined): void {
    if (object === undefined) this.#known.delete(key);
    else this.#known.add(key);
    this.#options.onState(key, object);
  }
}
