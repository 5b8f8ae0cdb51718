import { type Clock, InvalidArgumentError, type Metrics } from '@windlass/base';

/** What all queues have in common. */
export interface QueueOptions {
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Names the queue in its metrics and its snapshot. Two queues with one name would share their metrics. */
  readonly name?: string;
  /**
   * Where to measure; needs `name`. The queue's series are gone when it has shut down.
   * @default nothing is measured
   */
  readonly metrics?: Metrics;
  /**
   * How long a key waits to gain one point of priority over keys that come later. Infinity makes the
   * order strict, and then low keys may starve.
   * @default 100
   */
  readonly ageingMs?: number;
}

/** How fast a waiting key gains priority unless the options say otherwise. */
export const DEFAULT_AGEING_MS = 100;
/** The priority of keys that are added without one. */
export const DEFAULT_PRIORITY = 0;

/** How urgent a key is, and why it was added. */
export interface AddOptions<R> {
  /**
   * Higher goes first; any finite number. A key that is queued already keeps the higher of both.
   * @default 0
   */
  readonly priority?: number;
  /** Why; what `get` returns carries the reasons of all adds it answers. */
  readonly reason?: R;
}

/** Options of a worker that waits for a key. */
export interface GetOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What becomes of queued keys when a queue shuts down. */
export interface ShutDownOptions {
  /**
   * True hands out what is queued and waits until every key is done. False gives up what is queued and
   * waits only for the workers that hold a key.
   * @default false
   */
  readonly drain?: boolean;
  /** Ends the waiting, not the shut down. */
  readonly signal?: AbortSignal | undefined;
}

/** `draining`: takes no more keys, and hands out those it has. `shut down`: does neither. */
export type Lifecycle = 'open' | 'draining' | 'shut down';

/** The priority that the options ask for. */
export function priorityOf(options: AddOptions<unknown> | undefined): number {
  return options?.priority === undefined ? DEFAULT_PRIORITY : checkedPriority(options.priority);
}

export function checkedPriority(priority: number): number {
  if (!Number.isFinite(priority)) throw new InvalidArgumentError('priority', priority, 'a finite number');
  return priority;
}
