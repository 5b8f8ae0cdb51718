import { channel } from 'node:diagnostics_channel';
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

/** Tells the listener what the engine does in this process, until it is disposed. What the listener throws ends the process. */
export function listen<N extends keyof Messages>(
  name: N,
  listener: (message: Messages[N]) => void,
): Disposable {
  // A channel has messages of one type.
  const told = (message: unknown): void => listener(message as Messages[N]);
  channel(name).subscribe(told);
  return {
    [Symbol.dispose]: () => {
      channel(name).unsubscribe(told);
    },
  };
}
