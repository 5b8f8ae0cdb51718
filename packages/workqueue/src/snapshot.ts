import type { Lifecycle } from './queue-options.ts';
import type { Reasons } from './reasons.ts';

/** What a person looks at when a queue does not do what they expect. Times in milliseconds. */
export interface QueueSnapshot<K, R = string> {
  readonly name: string | undefined;
  readonly state: Lifecycle;
  readonly queued: number;
  readonly processing: number;
  readonly delayed: number;
  /** Workers that wait for a key. */
  readonly waitingWorkers: number;
  /** Highest priority first, oldest first within one. */
  readonly queuedKeys: readonly QueuedKey<K, R>[];
  /** Longest running first. */
  readonly processingKeys: readonly ProcessingKey<K>[];
  /** Soonest first. */
  readonly delayedKeys: readonly DelayedKey<K, R>[];
}

/** A key that is ready and waits for a worker. */
export interface QueuedKey<K, R> {
  readonly key: K;
  readonly priority: number;
  readonly waitedMs: number;
  /** Failures since the key was last forgotten. */
  readonly retries: number;
  readonly reasons: Reasons<R>;
}

/** A key that a worker has. */
export interface ProcessingKey<K> {
  readonly key: K;
  readonly runningMs: number;
  /** Whether it runs once more when its worker is done. */
  readonly addedAgain: boolean;
}

/** A key that is not due yet. */
export interface DelayedKey<K, R> {
  readonly key: K;
  readonly priority: number;
  readonly dueInMs: number;
  readonly retries: number;
  readonly reasons: Reasons<R>;
}
