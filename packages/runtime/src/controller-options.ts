import { type Clock, InvalidArgumentError, type Logger, type Metrics } from '@windlass/base';
import type { RateLimiter } from '@windlass/workqueue';
import type { ReconcileError } from './errors.ts';
import type { EventRecorder } from './events/recorder.ts';
import type { Reconcile } from './reconciler.ts';
import type { Source } from './sources/source.ts';

/** What a controller does with each key, and where keys come from. */
export interface ControllerOptions<K = string> {
  /** In logs, metrics, errors and reasons. */
  readonly name: string;
  readonly reconcile: Reconcile<K>;
  /** Where keys come from. More may be added at any time with `watch`. @default none */
  readonly sources?: readonly Source<K>[];
  /** How many keys are worked on at a time. @default 1 */
  readonly concurrency?: number;
  /** Decides how long a failed key waits. @default exponential per key, 5 ms to 1000 s */
  readonly rateLimiter?: RateLimiter<K>;
  /** After so many retries a key is given up until its next event. @default Infinity */
  readonly maxRetries?: number;
  /** How long one run may take, in milliseconds; then its signal aborts. 0: for ever. @default 300000 */
  readonly timeoutMs?: number;
  /**
   * A run that goes on for so much longer after its deadline no longer holds a worker up: another one takes
   * its place. Its key waits until it has returned.
   * @default 60000
   */
  readonly stuckAfterMs?: number;
  /** How long sources may take to fill their caches. @default 120000 */
  readonly syncTimeoutMs?: number;
  /** As for a WorkQueue: how long a key waits to gain one point of priority. @default 100 */
  readonly ageingMs?: number;
  /** Told of each failure, after it was counted and logged. What it throws is logged. */
  readonly onError?: (error: ReconcileError) => void;
  /** @default none */
  readonly recorder?: EventRecorder;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default none */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
}

/** The defaults of `ControllerOptions`. */
export const DEFAULT_CONTROLLER_OPTIONS = Object.freeze({
  concurrency: 1,
  maxRetries: Number.POSITIVE_INFINITY,
  timeoutMs: 300_000,
  stuckAfterMs: 60_000,
  syncTimeoutMs: 120_000,
});

/** How long a stop waits for runs. */
export interface StopOptions {
  /** When it aborts, runs are no longer waited for: their signals abort, and soon after they are left alone. */
  readonly deadline?: AbortSignal;
}

/** When a key is due, and how urgent it is. */
export interface EnqueueOptions {
  /** @default 0 */
  readonly priority?: number;
  /** Not before so many milliseconds have passed. @default 0 */
  readonly afterMs?: number;
  /** Who asks. @default enqueue */
  readonly source?: string;
  readonly message?: string;
}

/** A controller in numbers. */
export interface ControllerCounts {
  /** Keys that can be taken now. */
  readonly queued: number;
  readonly working: number;
  /** Keys whose time has not come. */
  readonly delayed: number;
  /** Those of them that wait because they failed. */
  readonly retrying: number;
  /** Runs that have ended, since the start. */
  readonly finished: number;
  /** Those of them that failed. */
  readonly failed: number;
}

/** What is given, with defaults for the rest. @throws InvalidArgumentError for what makes no sense */
export function checkedOptions<K>(
  options: ControllerOptions<K>,
): ControllerOptions<K> & Record<keyof typeof DEFAULT_CONTROLLER_OPTIONS, number> {
  const { name, reconcile } = options;
  if (typeof name !== 'string' || name === '')
    throw new InvalidArgumentError('name', name, 'a text that is not empty');
  if (typeof reconcile !== 'function') throw new InvalidArgumentError('reconcile', reconcile, 'a function');
  const merged = { ...DEFAULT_CONTROLLER_OPTIONS, ...options };
  if (!(Number.isInteger(merged.concurrency) && merged.concurrency >= 1))
    throw new InvalidArgumentError('concurrency', merged.concurrency, 'a whole number of at least 1');
  for (const option of ['maxRetries', 'timeoutMs', 'stuckAfterMs', 'syncTimeoutMs'] as const)
    if (!(merged[option] >= 0))
      throw new InvalidArgumentError(option, merged[option], 'a number of at least 0');
  return merged;
}
