/** What a runnable is given. */
export interface RunnableContext {
  /** Aborts when it is to stop. */
  readonly signal: AbortSignal;
  /** Aborts, after `signal`, when nobody waits for it any longer. */
  readonly deadline: AbortSignal;
  /** To be called once it does what others rely on; those that come after it in the order wait for it. */
  readonly ready: () => void;
}

/** A part of a program that a manager starts and stops. */
export interface Runnable {
  /** In logs and errors. */
  readonly name: string;
  /** Whether `ready` will be called. Else it counts as ready when it was started. @default false */
  readonly signalsReady?: boolean;
  /**
   * Runs until `signal` aborts, or until it has nothing more to do. What it throws before that stops the
   * whole manager.
   */
  run(context: RunnableContext): Promise<void>;
}

/**
 * When a runnable starts; it stops in the opposite order, but for `always`, which stops first.
 *
 * - `servers`: health and metrics
 * - `webhooks`: before the caches, whose first lists may need a conversion
 * - `caches`
 * - `always`: on every replica
 * - `warmup`: controllers that fill their queues before their turn comes
 * - `leader`: on one replica at a time
 */
export type GroupName = 'servers' | 'webhooks' | 'caches' | 'always' | 'warmup' | 'leader';
