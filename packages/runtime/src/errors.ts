import { describe, WindlassError } from '@windlass/base';

/** The `code` of a TerminalError, of whatever copy of this package. */
const TERMINAL = 'TERMINAL';

/**
 * A failure that trying again cannot mend. A reconciler throws it, or an error that has it among its
 * causes; the key then waits for the next event instead of being tried again.
 */
export class TerminalError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: TERMINAL, cause });
  }
}

/** Whether the error, or one of its causes, says that trying again is of no use. */
export function isTerminal(error: unknown): boolean {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    if (at instanceof WindlassError && at.code === TERMINAL) return true;
  }
  return false;
}

/** A reconciler returned what is no result. */
export class InvalidResultError extends WindlassError {
  constructor(problem: string) {
    super(
      `the reconciler returned ${problem}; return nothing, or an object with requeueAfterMs, requeue or priority`,
      { code: 'INVALID_RESULT', kind: 'bug' },
    );
  }
}

/** A reconciler changed an object of the cache, which everybody shares. */
export class CacheMutationError extends WindlassError {
  constructor(cause: Error) {
    super(
      `the reconciler tried to change an object of the cache, which everybody shares: ${cause.message}; change a copy (deepCopy)`,
      { code: 'CACHE_MUTATION', kind: 'bug', cause },
    );
  }
}

/** A reconcile took longer than its controller allows. */
export class ReconcileTimeoutError extends WindlassError {
  constructor(timeoutMs: number) {
    super(`the reconcile took longer than ${timeoutMs} ms`, { code: 'RECONCILE_TIMEOUT' });
  }
}

/** What went wrong with one key, named by controller and key. The cause is what the reconciler threw. */
export class ReconcileError extends WindlassError {
  readonly controller: string;
  readonly key: unknown;

  constructor(controller: string, key: unknown, cause: Error) {
    const name = typeof key === 'string' ? JSON.stringify(key) : describe(key);
    super(`controller "${controller}" failed for ${name}: ${cause.message}`, {
      code: 'RECONCILE_FAILED',
      kind: cause instanceof WindlassError ? cause.kind : 'expected',
      cause,
    });
    this.controller = controller;
    this.key = key;
  }
}

/** A controller's sources did not come up in time. The message names those that are missing. */
export class ControllerSyncError extends WindlassError {
  constructor(controller: string, missing: readonly string[], timeoutMs: number, cause: unknown) {
    super(
      `controller "${controller}" did not start within ${timeoutMs} ms: ${missing.length === 0 ? 'no source is missing' : missing.join('; ')}`,
      { code: 'CONTROLLER_NOT_SYNCED', cause },
    );
  }
}

/** A part was used in a state in which it cannot be used. */
export class LifecycleError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'LIFECYCLE', kind: 'bug' });
  }
}

/** Another replica leads now, or may. Whatever this one did as the leader has been told to end. */
export class LeadershipLostError extends WindlassError {
  constructor(lease: string) {
    super(
      `the lease ${lease} is lost, so another replica may lead; end this process and let it be started anew`,
      { code: 'LEADERSHIP_LOST' },
    );
  }
}

/** A write that only the leader may do, by a replica that led and does no longer. Nothing was sent. */
export class NotLeadingError extends WindlassError {
  constructor(lease: string) {
    super(`this replica no longer holds the lease ${lease} and must not write`, { code: 'NOT_LEADING' });
  }
}
