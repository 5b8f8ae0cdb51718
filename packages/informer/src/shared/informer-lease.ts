import type { KubeObject } from '@windlass/apimachinery';
import type { Indexers, ReadIndexer } from '../cache/indexer.ts';
import type { Lister } from '../cache/lister.ts';
import { InformerStoppedError } from '../errors.ts';
import type { HandlerOptions } from '../handlers/handler-options.ts';
import type { EventHandler } from '../handlers/notification.ts';
import type { Registration } from '../handlers/registration.ts';
import type { WaitForVersionOptions } from '../versions/version-gate.ts';
import type { Informer } from './informer.ts';
import type { SharedInformer } from './shared-informer.ts';

export interface InformerLeaseOptions<T extends KubeObject> {
  readonly informer: SharedInformer<T>;
  /** For this user's handlers that do not say. */
  readonly resyncMs: number;
  /** This user has gone; resolves when what must go with it has. */
  readonly onRelease: () => Promise<void>;
}

/**
 * One user's part in an informer that others may use, too. When the last user releases theirs, the
 * informer is stopped.
 */
export class InformerLease<T extends KubeObject> implements Informer<T>, AsyncDisposable {
  readonly #options: InformerLeaseOptions<T>;
  readonly #registrations = new Set<Registration>();
  #released: Promise<void> | undefined = undefined;

  constructor(options: InformerLeaseOptions<T>) {
    this.#options = options;
  }

  get name(): string {
    return this.#informer.name;
  }

  get lister(): Lister<T> {
    return this.#informer.lister;
  }

  get indexer(): ReadIndexer<T> {
    return this.#informer.indexer;
  }

  get hasSynced(): boolean {
    return this.#informer.hasSynced;
  }

  get resourceVersion(): string {
    return this.#informer.resourceVersion;
  }

  get isStopped(): boolean {
    return this.#released !== undefined || this.#informer.isStopped;
  }

  get lastError(): Error | undefined {
    return this.#informer.lastError;
  }

  start(): void {
    this.#requireHeld();
    this.#informer.start();
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.#informer.synced(signal);
  }

  whyNotSynced(): string {
    return this.#informer.whyNotSynced();
  }

  waitForVersion(resourceVersion: string, options?: WaitForVersionOptions): Promise<void> {
    return this.#informer.waitForVersion(resourceVersion, options);
  }

  relist(): void {
    this.#informer.relist();
  }

  addIndexers(indexers: Indexers<T>): void {
    this.#requireHeld();
    this.#informer.addIndexers(indexers);
  }

  addHandler(handler: EventHandler<T>, options: HandlerOptions = {}): Registration {
    this.#requireHeld();
    const registration = this.#informer.addHandler(handler, { resyncMs: this.#options.resyncMs, ...options });
    this.#registrations.add(registration);
    return registration;
  }

  /**
   * Removes this user's handlers, and stops the informer if nobody else uses it. Resolves when that is
   * done, so a handler must not wait for it. What was cached can still be read.
   */
  release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  get #informer(): SharedInformer<T> {
    return this.#options.informer;
  }

  async #release(): Promise<void> {
    const removed = [...this.#registrations].map((registration) => registration.remove());
    await Promise.all([...removed, this.#options.onRelease()]);
  }

  #requireHeld(): void {
    if (this.isStopped) throw new InformerStoppedError(this.name);
  }
}
