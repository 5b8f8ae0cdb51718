import type { Reasons } from './reasons.ts';

/** What a person looks at when a queue does not do what they expect. Times in milliseconds. */
export interface QueueSnapshot<K, R> {
  readonly name: string | undefined;
  readonly state: 'open' | 'draining' | 'shut down';
  readonly queued: number;
  readonly processing: number;
  readonly delayed: number;
  /** Workers that wait for a key. */
  readonly waitingWorkers: number;
  /** In the order of priority, then of arrival; at most `limit`. */
  readonly queuedKeys: readonly {
    key: K;
    priority: number;
    waitedMs: number;
    retries: number;
    reasons: Reasons<R>;
  }[];
  /** Longest running first; at most `limit`. */
  readonly processingKeys: readonly { key: K; runningMs: number; addedAgain: boolean }[];
  /** Soonest first; at most `limit`. */
  readonly delayedKeys: readonly { key: K; dueInMs: number; priority: number; retries: number }[];
}
