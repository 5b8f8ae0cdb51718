import { isCancelled, WindlassError } from '@windlass/base';

/** Thrown when an index is asked that the cache does not have. */
export class UnknownIndexError extends WindlassError {
  constructor(name: string, known: readonly string[]) {
    super(
      `there is no index ${JSON.stringify(name)}; there are: ${known.length === 0 ? 'none' : known.join(', ')}. Add it with addIndexers`,
      {
        code: 'UNKNOWN_INDEX',
        kind: 'bug',
      },
    );
  }
}

/** Thrown when an index is added under a name that another function has. */
export class IndexConflictError extends WindlassError {
  constructor(name: string) {
    super(`there is an index ${JSON.stringify(name)} with another function already; choose another name`, {
      code: 'INDEX_CONFLICT',
      kind: 'bug',
    });
  }
}

/** The informer, or the factory, has been stopped. It cannot be started again: make a new one. */
export class InformerStoppedError extends WindlassError {
  constructor(name: string) {
    super(`the informer for ${name} has been stopped and cannot be used again; make a new one`, {
      code: 'INFORMER_STOPPED',
    });
  }
}

/** Two users of one informer want it to be different. */
export class InformerConflictError extends WindlassError {
  constructor(name: string, option: string) {
    super(
      `there is an informer for ${name} with another ${option} already; its cache is shared, so use the same ${option} or another factory`,
      { code: 'INFORMER_CONFLICT', kind: 'bug' },
    );
  }
}

/** Caches were not filled in time. The message names each and its last error. */
export class CacheSyncError extends WindlassError {
  readonly unsynced: readonly string[];

  constructor(unsynced: readonly { readonly name: string; readonly why: string }[], cause?: unknown) {
    super(`not synced: ${unsynced.map(({ name, why }) => `${name} (${why})`).join('; ')}`, {
      code: 'CACHE_NOT_SYNCED',
      kind: isCancelled(rootOf(cause)) ? 'cancelled' : 'expected',
      cause,
    });
    this.unsynced = unsynced.map(({ name }) => name);
  }
}

/** An informer's own error of this class has the reason of the wait's end as its cause. */
function rootOf(cause: unknown): unknown {
  return cause instanceof CacheSyncError ? cause.cause : cause;
}
