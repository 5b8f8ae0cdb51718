import type { KubeObject } from '@windlass/apimachinery';
import { type Clock, type Logger, RingBuffer, toError } from '@windlass/base';
import { mergeInto, type Waiting } from './merge-notifications.ts';
import type { EventHandler, Notification } from './notification.ts';

export interface ListenerOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From this many waiting notifications on, one key's notifications are merged. */
  readonly maxBuffered: number;
  readonly onError: (error: Error) => void;
  readonly onCoalesced: () => void;
}

/** Resolved when everything before it has been told. */
interface Barrier {
  readonly reached: () => void;
}

/**
 * One handler and what it has not been told yet.
 *
 * A handler that returns nothing is called at once and needs no buffer. While one that returned a promise
 * is busy, notifications wait in order. Beyond `maxBuffered` they are merged per key, so that at most
 * `maxBuffered` and one for each key wait, and what the handler sees is a legal shortening of what
 * happened.
 */
export class Listener<T extends KubeObject> {
  readonly #handler: EventHandler<T>;
  readonly #options: ListenerOptions;
  readonly #buffer = new RingBuffer<Waiting<T> | Barrier>();
  /** The newest waiting entry of each key. */
  readonly #newest = new Map<string, Waiting<T>>();
  #isBusy = false;
  /** When what the handler is busy with came. */
  #busyWithSince = 0;
  #isClosed = false;
  /** The call that is under way. */
  #call: Promise<void> = Promise.resolve();

  constructor(handler: EventHandler<T>, options: ListenerOptions) {
    this.#handler = handler;
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get pending(): number {
    return this.#buffer.length + (this.#isBusy ? 1 : 0);
  }

  /** How far the handler is behind, in milliseconds: the age of what it is busy with. */
  get lagMs(): number {
    return this.#isBusy ? this.#options.clock.monotonic() - this.#busyWithSince : 0;
  }

  /** Tells the handler, now or when its turn comes. Never throws. */
  notify(notification: Notification<T>): void {
    if (this.#isClosed) return;
    if (this.#isBusy) this.#enqueue(notification);
    else this.#deliver(notification);
  }

  /** Resolves when the handler has finished with everything that it was to be told before this call. */
  barrier(): Promise<void> {
    if (!this.#isBusy || this.#isClosed) return Promise.resolve();
    return new Promise((reached) => this.#buffer.push({ reached }));
  }

  /** Tells it no more. A call that is under way is let finish. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#buffer) if ('reached' in waiting) waiting.reached();
    this.#buffer.clear();
    this.#newest.clear();
  }

  /** Resolves when no call of the handler is under way. */
  settled(): Promise<void> {
    return this.#call;
  }

  #enqueue(notification: Notification<T>): void {
    const { key } = notification;
    if (this.#buffer.length >= this.#options.maxBuffered) {
      const waiting = this.#newest.get(key);
      if (waiting !== undefined) {
        mergeInto(waiting, notification);
        this.#options.onCoalesced();
        return;
      }
    }
    const since = this.#options.clock.monotonic();
    const waiting: Waiting<T> = { key, since, notification, deletion: undefined };
    this.#buffer.push(waiting);
    this.#newest.set(key, waiting);
  }

  /** @param since when it came; now unless told */
  #deliver(notification: Notification<T>, since?: number): void {
    let result: void | PromiseLike<void>;
    try {
      result = call(this.#handler, notification);
    } catch (thrown) {
      this.#fail(notification, thrown);
      return;
    }
    if (result === undefined || typeof result?.then !== 'function') return;
    this.#isBusy = true;
    this.#busyWithSince = since ?? this.#options.clock.monotonic();
    this.#call = Promise.resolve(result).then(
      () => this.#finished(),
      (thrown: unknown) => {
        this.#fail(notification, thrown);
        this.#finished();
      },
    );
  }

  #finished(): void {
    this.#isBusy = false;
    while (!this.#isBusy) {
      const waiting = this.#buffer.peek();
      if (waiting === undefined) return;
      if ('reached' in waiting) {
        this.#buffer.shift();
        waiting.reached();
      } else if (waiting.deletion !== undefined) {
        const { deletion } = waiting;
        waiting.deletion = undefined;
        this.#deliver(deletion, waiting.since);
      } else {
        this.#buffer.shift();
        if (this.#newest.get(waiting.key) === waiting) this.#newest.delete(waiting.key);
        if (waiting.notification !== undefined) this.#deliver(waiting.notification, waiting.since);
      }
    }
  }

  #fail(notification: Notification<T>, thrown: unknown): void {
    const error = toError(thrown);
    this.#options.onError(error);
    this.#options.logger.error('an event handler failed', {
      handler: this.#options.name,
      event: notification.type,
      key: notification.key,
      error,
    });
  }
}

function call<T extends KubeObject>(
  handler: EventHandler<T>,
  notification: Notification<T>,
): void | PromiseLike<void> {
  switch (notification.type) {
    case 'add':
      return handler.onAdd?.(notification.now, notification);
    case 'update':
      return handler.onUpdate?.(notification.old, notification.now);
    case 'delete':
      return handler.onDelete?.(notification.old, notification);
    case 'sync':
      return handler.onUpdate?.(notification.now, notification.now);
    default:
      return notification satisfies never;
  }
}
