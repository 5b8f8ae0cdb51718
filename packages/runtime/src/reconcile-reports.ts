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
  /** The controller itself: its name is unique only in its manager. */
  readonly instance: object;
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

/** Runs the reconciler within the stores that listeners have bound for it, and within what they set around it. */
export function observed<K>(
  run: Run<K>,
  reconcile: Reconcile<K>,
): ReconcileOutcome | PromiseLike<ReconcileOutcome> {
  const { controller, instance, retries } = run;
  const { key, reasons, waitedMs } = run.item;
  const started: StartedRun = { controller, instance, key, reasons, waitedMs, retries };
  run.started = started;
  const body = () => reconcile(key, run);
  // Listeners are told before the body runs.
  return runStarts.runStores(started, () => (started.around === undefined ? body() : started.around(body)));
}

/** Tells that a run has ended, and how. */
export function publishReport<K>(
  run: Run<K>,
  how: Pick<ReconcileReport, 'result' | 'tookMs' | 'error' | 'againInMs'>,
): void {
  const { controller, instance, key, reasons, started } = run;
  reports.publish({ controller, instance, key, reasons, started, ...how } satisfies ReconcileReport);
}
