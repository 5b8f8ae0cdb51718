import type { Logger } from '@windlass/base';
import type { Reason } from '../reason.ts';

/** Where a source puts keys. */
export interface SourceSink<K> {
  readonly logger: Logger;
  add(key: K, reason: Reason, priority?: number): void;
}

/**
 * Where keys come from: the objects of a kind, a channel, a timer. A source may be started by several
 * controllers, and more than once.
 */
export interface Source<K = string> {
  /** In reasons and messages. */
  readonly name: string;
  /** Begins to put keys in the sink. Returns at once. */
  start(sink: SourceSink<K>): RunningSource;
}

/** A source that puts keys into a queue. */
export interface RunningSource {
  /** Resolves when everything that was there at the start has been put in the sink. */
  synced(signal: AbortSignal): Promise<void>;
  /** For messages to people; undefined when nothing is missing. */
  whyNotSynced(): string | undefined;
  /** Whether nothing that the source knows of is still on its way to the sink. */
  readonly isIdle: boolean;
  /** Puts nothing more in the sink. Resolves when nothing of it runs. */
  stop(): Promise<void>;
}

/**
 * The priority of what nobody waits for: what was there at the start, and reminders. Live events have 0.
 * Keys gain a point with the time that they wait, so that none of them starves.
 */
export const LOW_PRIORITY = -100;
