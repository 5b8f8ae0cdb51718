// AbortSignal helpers that leave no listener behind: a signal often lives as long as the process, and
// one forgotten listener per wait is a leak that only shows after days.
import type { Clock } from './clock.ts';
import { CancelledError, DEADLINE_EXCEEDED, DeadlineError, WindlassError } from './errors.ts';

/** Calls back once when the signal aborts, at once if it has. Returns the way to take that back. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return noop;
  if (signal.aborted) {
    callback();
    return noop;
  }
  // A listener of its own: the platform keeps one of two equal ones, and removing it would remove both.
  const listener = (): void => callback();
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/**
 * The error to reject with when `signal` has aborted: its reason if that says "cancelled" or "too late"
 * in our terms, else a CancelledError with the reason as its cause.
 */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  // By kind and code, not by class: the reason may come from another copy of this package.
  if (reason instanceof WindlassError && (reason.kind === 'cancelled' || reason.code === DEADLINE_EXCEEDED))
    return reason;
  return new CancelledError(undefined, reason);
}

/** Throws what `abortError` gives, when the signal has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal);
}

/** Resolves after `ms`, or rejects as soon as the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortError(signal));
      return;
    }
    const timer = clock.setTimeout(() => {
      release();
      resolve();
    }, ms);
    const release = onAbort(signal, () => {
      timer.cancel();
      if (signal !== undefined) reject(abortError(signal));
    });
  });
}

/** The promise's outcome, or a rejection as soon as the signal aborts, whichever comes first. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => reject(abortError(signal)));
    promise.then(
      (value) => {
        release();
        resolve(value);
      },
      (error: unknown) => {
        release();
        reject(error);
      },
    );
  });
}

/** A signal with the means to abort it and to let go of its parents. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
}

/** Aborts when any of its parents does. Dispose it when the work is over: then no parent knows it. */
export function linkSignals(...parents: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  const release = (): void => {
    for (const off of releases) off();
    releases.length = 0;
  };
  for (const parent of parents) {
    if (controller.signal.aborted) break;
    releases.push(
      onAbort(parent, () => {
        controller.abort(parent?.reason);
        release();
      }),
    );
  }
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason);
      release();
    },
    [Symbol.dispose]: release,
  };
}

/**
 * As `linkSignals`, and aborts with a DeadlineError after `ms`. `what` names the work in the message.
 * Dispose it when the work is over, or the timer stays.
 */
export function withDeadline(
  clock: Clock,
  ms: number,
  what: string,
  ...parents: readonly (AbortSignal | undefined)[]
): LinkedSignal {
  const linked = linkSignals(...parents);
  if (linked.signal.aborted) return linked;
  const expire = (): void => linked.abort(new DeadlineError(`${what} took longer than ${ms} ms`));
  const timer = clock.setTimeout(expire, ms, { keepAlive: false });
  const release = onAbort(linked.signal, () => timer.cancel());
  return {
    signal: linked.signal,
    abort: linked.abort,
    [Symbol.dispose]: () => {
      release();
      timer.cancel();
      linked[Symbol.dispose]();
    },
  };
}

function noop(): void {}
