import type { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { toError } from '@windlass/base';
import type { RequestReport } from '@windlass/client';
import type { PublishedChange } from '@windlass/informer';
import type { CacheRead } from './cache/cache-reads.ts';
import type { ReconcileReport } from './reconcile-reports.ts';
import type { StartedRun } from './run.ts';

/** What is published on which channel of `node:diagnostics_channel`. */
export interface Messages {
  readonly 'windlass:reconcile:start': StartedRun;
  readonly 'windlass:reconcile': ReconcileReport;
  readonly 'windlass:request:start': RequestReport;
  readonly 'windlass:request:end': RequestReport;
  readonly 'windlass:cache:read': CacheRead;
  readonly 'windlass:informer:change': PublishedChange;
}

/**
 * Tells the listener what the engine does in this process, until it is disposed. A listener that throws, or whose
 * promise rejects, harms nobody: the engine goes on, and the listener's first error is a warning of the process.
 */
export function listen<N extends keyof Messages>(
  name: N,
  listener: (message: Messages[N]) => void,
): Disposable {
  // A channel has messages of one type.
  const told = contained(name, listener as (message: unknown) => unknown);
  channel(name).subscribe(told);
  return {
    [Symbol.dispose]: () => {
      channel(name).unsubscribe(told);
    },
  };
}

/**
 * Gives every run that begins a value in `storage`, which holds for what the reconciler does, until it is disposed.
 * When `valueOf` throws, the run has none; otherwise as `listen`.
 */
export function listenWithin<T>(
  storage: AsyncLocalStorage<T | undefined>,
  valueOf: (run: StartedRun) => T | undefined,
): Disposable {
  const name = 'windlass:reconcile:start';
  const starts = channel(name);
  // Runs that begin are all that is published there, and what is given back is what `valueOf` gave.
  const given = contained(name, valueOf as (message: unknown) => unknown) as (
    message: unknown,
  ) => T | undefined;
  starts.bindStore(storage, given);
  return { [Symbol.dispose]: () => void starts.unbindStore(storage) };
}

/** Those that have failed. Who listens anew after a pause is warned of only once. */
const failed = new WeakSet<object>();

/** Node makes what a subscriber throws an uncaught exception, which would end the process. */
function contained(name: string, listener: (message: unknown) => unknown): (message: unknown) => unknown {
  const fail = (thrown: unknown): undefined => {
    if (failed.has(listener)) return;
    failed.add(listener);
    const { message, stack } = toError(thrown);
    process.emitWarning(`a listener of ${name} failed, and may miss more: ${message}`, {
      code: 'WINDLASS_LISTENER_FAILED',
      ...(stack !== undefined && { detail: stack }),
    });
  };
  return (message) => {
    try {
      const result = listener(message);
      return result instanceof Promise ? result.catch(fail) : result;
    } catch (thrown) {
      return fail(thrown);
    }
  };
}
