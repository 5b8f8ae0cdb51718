import { channel } from 'node:diagnostics_channel';
import type { Reasons } from '@windlass/workqueue';
import type { ResultLabel } from './controller-metrics.ts';
import type { Reason } from './reason.ts';
import type { Reconcile } from './reconciler.ts';
import type { ReconcileOutcome } from './result.ts';
import type { Run, StartedRun } from './run.ts';

/** A run that has ended, on the channel `windlass:reconcile`. */
export interface ReconcileReport {
  readonly controller: string;
  readonly key: unknown;
  readonly reasons: Reasons<Reason>;
  readonly result: ResultLabel;
  readonly tookMs: number;
  readonly error: Error | undefined;
  /** When the key runs again by itself, in milliseconds; undefined when it waits for the next event. */
  readonly againInMs: number | undefined;
  /** What was published when it began; undefined when nobody listened then. */
  readonly started: StartedRun | undefined;
}

export const runStarts = channel('windlass:reconcile:start');
export const reports = channel('windlass:reconcile');

/** Runs the reconciler where who listens has bound stores for it. */
export function observed<K>(
  run: Run<K>,
  reconcile: Reconcile<K>,
): ReconcileOutcome | PromiseLike<ReconcileOutcome> {
  const { key, reasons, waitedMs } = run.item;
  run.started = { controller: run.controller, key, reasons, waitedMs };
  return runStarts.runStores(run.started, () => reconcile(key, run));
}
