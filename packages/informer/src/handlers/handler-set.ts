import type { Cached, KubeObject } from '@windlass/apimachinery';
import type { Clock, Logger } from '@windlass/base';
import type { InformerMetrics } from '../metrics.ts';
import {
  checkMaxBuffered,
  checkResync,
  DEFAULT_MAX_BUFFERED,
  type HandlerOptions,
} from './handler-options.ts';
import { Listener } from './listener.ts';
import type { EventHandler, Notification } from './notification.ts';
import { HandlerRegistration, type Registration } from './registration.ts';
import { ResyncSchedule } from './resync-schedule.ts';

export interface HandlerSetOptions<T extends KubeObject> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: InformerMetrics | undefined;
  /** For handlers that do not say. */
  readonly resyncMs: number;
  /** The present state, which a new handler is told first. */
  readonly entries: () => Iterable<readonly [key: string, object: Cached<T>]>;
  /** Some handlers are to be reminded of what there is: `tell` knows which. */
  readonly onResync: () => void;
}

/**
 * The handlers of an informer. They come and go at any time, and none waits for another. A handler that comes is told
 * the present state, and everything after that.
 */
export class HandlerSet<T extends KubeObject> {
  readonly #options: HandlerSetOptions<T>;
  readonly #registrations = new Set<HandlerRegistration<T>>();
  readonly #resyncs: ResyncSchedule<HandlerRegistration<T>>;
  /** Those who know the present state. Replaced, never changed, so that a round tells who was there at its start. */
  #informed: readonly HandlerRegistration<T>[] = [];
  /** Those whom the resync that is being told is for. */
  #resyncing: ReadonlySet<HandlerRegistration<T>> = new Set();
  #isStateWhole = false;
  #count = 0;

  constructor(options: HandlerSetOptions<T>) {
    checkResync(options.resyncMs);
    this.#options = options;
    this.#resyncs = new ResyncSchedule(options.clock, (due) => {
      this.#resyncing = due;
      options.onResync();
    });
  }

  /** Whether anyone wants to hear of objects that a relist finds unchanged. */
  get wantsUnchanged(): boolean {
    return this.#informed.some((handler) => handler.wantsUnchanged);
  }

  add(handler: EventHandler<T>, options: HandlerOptions): Registration {
    const { clock, logger } = this.#options;
    const { resyncMs = this.#options.resyncMs, wantsUnchanged = false } = options;
    const { maxBuffered = DEFAULT_MAX_BUFFERED } = options;
    checkResync(resyncMs);
    checkMaxBuffered(maxBuffered);
    const name = options.name ?? `handler-${++this.#count}`;
    const metrics = this.#options.metrics?.handler(name);
    const registration = new HandlerRegistration<T>({
      listener: new Listener(handler, {
        name,
        clock,
        logger,
        maxBuffered,
        onError: () => metrics?.errors.inc(),
        onCoalesced: () => metrics?.coalesced.inc(),
      }),
      metrics,
      wantsUnchanged,
      onRemove: (removed) => this.#leave(removed),
    });
    this.#registrations.add(registration);
    this.#resyncs.add(registration, resyncMs);
    // Later, so that the caller has the registration before the handler is called.
    queueMicrotask(() => this.#join(registration));
    return registration;
  }

  /** Tells each handler what it wants to hear, in order. A handler that comes meanwhile is not told. */
  tell(notifications: readonly Notification<T>[]): void {
    const informed = this.#informed;
    for (const notification of notifications) {
      for (const handler of informed) if (this.#wants(handler, notification)) handler.notify(notification);
    }
  }

  /** The whole initial state has been told. */
  initialStateSent(): void {
    this.#isStateWhole = true;
    for (const handler of this.#informed) handler.initialStateSent();
  }

  startResyncs(): void {
    this.#resyncs.start();
  }

  stopResyncs(): void {
    this.#resyncs.stop();
  }

  /** Resolves when no call of a handler is under way. */
  async removeAll(): Promise<void> {
    await Promise.all([...this.#registrations].map((handler) => handler.remove()));
  }

  updateMetrics(): void {
    for (const registration of this.#registrations) registration.updateMetrics();
  }

  /** Nothing changes while the present state is told, so nothing is missed and nothing is told twice. */
  #join(registration: HandlerRegistration<T>): void {
    if (registration.isRemoved) return;
    for (const [key, now] of this.#options.entries())
      registration.notify({ type: 'add', key, now, isInInitialList: true });
    this.#informed = [...this.#informed, registration];
    if (this.#isStateWhole) registration.initialStateSent();
  }

  #leave(registration: HandlerRegistration<T>): void {
    this.#registrations.delete(registration);
    this.#resyncs.remove(registration);
    this.#informed = this.#informed.filter((other) => other !== registration);
  }

  #wants(handler: HandlerRegistration<T>, notification: Notification<T>): boolean {
    if (notification.type !== 'sync') return true;
    return notification.cause === 'relist' ? handler.wantsUnchanged : this.#resyncing.has(handler);
  }
}
