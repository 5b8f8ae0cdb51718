import { channel } from 'node:diagnostics_channel';
import type { RequestReport } from '@windlass/client';
import type { PublishedChange } from '@windlass/informer';
import type { CacheRead, ReconcileReport } from '@windlass/runtime';

/** What is published on which channel. */
interface Messages {
  readonly 'windlass:reconcile': ReconcileReport;
  readonly 'windlass:request:start': RequestReport;
  readonly 'windlass:request:end': RequestReport;
  readonly 'windlass:cache:read': CacheRead;
  readonly 'windlass:informer:change': PublishedChange;
}

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
