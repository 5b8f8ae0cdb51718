import type { Logger } from '@windlass/base';
import type { Reasons } from '@windlass/workqueue';
import type { EventRecorder } from './events/recorder.ts';
import type { Reason } from './reason.ts';
import type { ReconcileOutcome } from './result.ts';

/** What a run knows besides its key. */
export interface ReconcileContext<K = string> {
  readonly key: K;
  /** The controller's name. */
  readonly controller: string;
  /** Why this run takes place: everything that it answers, oldest first. */
  readonly reasons: Reasons<Reason>;
  /** How often the key has failed since it last succeeded. */
  readonly retries: number;
  readonly priority: number;
  /** Aborts at the deadline of the run and when the controller gives up waiting for it at its stop. */
  readonly signal: AbortSignal;
  /** Adds controller, key and run to each record. */
  readonly logger: Logger;
  /** Tells people what was done, as Events beside the objects. */
  readonly recorder: EventRecorder;
}

/**
 * Makes what is as it should be, for one key. It is never called for one key twice at a time. It looks at
 * the state and not at the events: the reasons are for people, and for speed.
 */
export type Reconcile<K = string> = (
  key: K,
  context: ReconcileContext<K>,
) => ReconcileOutcome | PromiseLike<ReconcileOutcome>;
