import type { KubeObject } from '@windlass/apimachinery';
import { CancelledError, orAbort } from '@windlass/base';
import type { HandlerMetrics } from '../metrics.ts';
import type { Listener } from './listener.ts';
import type { Notification } from './notification.ts';

/** A handler that has been added. */
export interface Registration extends AsyncDisposable {
  readonly name: string;
  /** Whether the handler has finished with everything that was there when it came. */
  readonly hasSynced: boolean;
  /** Resolves when that is so; rejects when the signal aborts or the handler is removed first. */
  synced(signal?: AbortSignal): Promise<void>;
  /** Notifications that wait for the handler. */
  readonly pending: number;
  /**
   * The handler is told nothing more. Resolves when no call of it is under way, so the handler itself
   * must not wait for it.
   */
  remove(): Promise<void>;
}

/** The informer's side of a registration. */
export class HandlerRegistration<T extends KubeObject> implements Registration {
  readonly wantsUnchanged: boolean;
  readonly #listener: Listener<T>;
  readonly #metrics: HandlerMetrics | undefined;
  readonly #synced = Promise.withResolvers<void>();
  readonly #onRemove: () => void;
  #hasSynced = false;
  #isRemoved = false;

  constructor(options: {
    readonly listener: Listener<T>;
    readonly metrics: HandlerMetrics | undefined;
    readonly wantsUnchanged: boolean;
    readonly onRemove: (registration: HandlerRegistration<T>) => void;
  }) {
    this.#listener = options.listener;
    this.#metrics = options.metrics;
    this.wantsUnchanged = options.wantsUnchanged;
    this.#onRemove = () => options.onRemove(this);
    // Nobody may be waiting when it is removed.
    this.#synced.promise.catch(() => {});
  }

  get name(): string {
    return this.#listener.name;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  get pending(): number {
    return this.#listener.pending;
  }

  notify(notification: Notification<T>): void {
    this.#listener.notify(notification);
  }

  updateMetrics(): void {
    this.#metrics?.pending.set(this.#listener.pending);
    this.#metrics?.lag.set(this.#listener.lagMs / 1000);
  }

  /** Everything of the initial state has been handed over: synced once it is worked off. */
  initialStateSent(): void {
    if (this.#hasSynced) return;
    if (this.#listener.pending === 0) this.#markSynced();
    else void this.#listener.barrier().then(() => this.#markSynced());
  }

  synced(signal?: AbortSignal): Promise<void> {
    return orAbort(this.#synced.promise, signal);
  }

  async remove(): Promise<void> {
    if (!this.#isRemoved) {
      this.#isRemoved = true;
      this.#onRemove();
      this.#listener.close();
      this.#metrics?.close();
      this.#synced.reject(new CancelledError(`handler ${this.name} was removed before it had synced`));
    }
    await this.#listener.settled();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove();
  }

  #markSynced(): void {
    if (this.#isRemoved) return;
    this.#hasSynced = true;
    this.#synced.resolve();
  }
}
