import { type Logger, RingBuffer, toError } from '@windlass/base';
import type { EventHandler, Notification } from './notification.ts';

export interface ListenerOptions {
  readonly name: string;
  readonly logger: Logger;
  /** From this many waiting notifications on, one key's notifications are merged. */
  readonly maxBuffered: number;
  readonly onError: (error: Error) => void;
  readonly onCoalesced: () => void;
}

/** A waiting notification; `now` changes when a later one for the same key is merged into it. */
interface Waiting<T> {
  readonly key: string;
  /** Undefined when merging has left nothing to tell. */
  notification: Notification<T> | undefined;
  /** A deletion that must be told before `notification`, because its key was taken again. */
  deletion: Notification<T> | undefined;
  /** Called when everything before it, and itself, has been told. */
  readonly onTold: (() => void) | undefined;
}

/**
 * One handler and what it has not been told yet.
 *
 * A handler that returns nothing is called at once and needs no buffer. While one that returned a promise
 * is busy, notifications wait in order. Beyond `maxBuffered` they are merged per key: several updates
 * become one, an object that came and went unseen is not told at all, a deletion always is unless the
 * handler never knew the object. So the buffer is bounded by the number of keys, and what the handler sees
 * is a legal shortening of what happened.
 */
export class Listener<T> {
  readonly #handler: EventHandler<T>;
  readonly #options: ListenerOptions;
  readonly #buffer = new RingBuffer<Waiting<T>>();
  /** The newest waiting entry of each key; kept only while merging. */
  readonly #newest = new Map<string, Waiting<T>>();
  #isBusy = false;
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

  /** Tells the handler, now or when its turn comes. Never throws. */
  notify(notification: Notification<T>): void {
    if (this.#isClosed) return;
    if (!this.#isBusy) this.#deliver(notification);
    else this.#enqueue(notification);
  }

  /** Resolves when the handler has finished with everything that it was to be told before this call. */
  barrier(): Promise<void> {
    if (!this.#isBusy || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#buffer.push({ key: '', notification: undefined, deletion: undefined, onTold: resolve });
    });
  }

  /** Tells it no more. A call that is under way is let finish. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#buffer) waiting.onTold?.();
    this.#buffer.clear();
    this.#newest.clear();
  }

  /** Resolves when no call of the handler is under way. */
  settled(): Promise<void> {
    return this.#call;
  }

  #enqueue(notification: Notification<T>): void {
    if (this.#buffer.length >= this.#options.maxBuffered) {
      const waiting = this.#newest.get(notification.key);
      if (waiting !== undefined && merge(waiting, notification)) {
        this.#options.onCoalesced();
        return;
      }
    }
    const waiting: Waiting<T> = {
      key: notification.key,
      notification,
      deletion: undefined,
      onTold: undefined,
    };
    this.#buffer.push(waiting);
    this.#newest.set(notification.key, waiting);
  }

  #deliver(notification: Notification<T>): void {
    let result: void | Promise<void>;
    try {
      result = call(this.#handler, notification);
    } catch (thrown) {
      this.#fail(notification, thrown);
      return;
    }
    if (!(result instanceof Promise)) return;
    this.#isBusy = true;
    this.#call = result
      .catch((thrown: unknown) => this.#fail(notification, thrown))
      .finally(() => {
        this.#isBusy = false;
        this.#continue();
      });
  }

  #continue(): void {
    while (!this.#isBusy) {
      const waiting = this.#buffer.peek();
      if (waiting === undefined) break;
      const deletion = waiting.deletion;
      if (deletion !== undefined) {
        waiting.deletion = undefined;
        this.#deliver(deletion);
        continue;
      }
      this.#buffer.shift();
      if (this.#newest.get(waiting.key) === waiting) this.#newest.delete(waiting.key);
      if (waiting.notification !== undefined) this.#deliver(waiting.notification);
      waiting.onTold?.();
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

function call<T>(handler: EventHandler<T>, notification: Notification<T>): void | Promise<void> {
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

/** Folds `next` into what waits for the same key. False when both must be told. */
function merge<T>(waiting: Waiting<T>, next: Notification<T>): boolean {
  const before = waiting.notification;
  if (before === undefined) return false;
  if (next.type === 'sync') return true;
  switch (before.type) {
    case 'add':
      if (next.type === 'update') waiting.notification = { ...before, now: next.now };
      else if (next.type === 'delete') waiting.notification = undefined;
      else return false;
      return true;
    case 'update':
      if (next.type === 'update') waiting.notification = { ...before, now: next.now };
      else if (next.type === 'delete') waiting.notification = next;
      else return false;
      return true;
    case 'sync':
      waiting.notification = next;
      return true;
    case 'delete':
      if (next.type !== 'add' || waiting.deletion !== undefined) return false;
      waiting.deletion = before;
      waiting.notification = next;
      return true;
    default:
      return before satisfies never;
  }
}
