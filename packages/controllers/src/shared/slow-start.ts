import { toError } from '@windlass/base';

export interface SlowStartOutcome {
  readonly succeeded: number;
  /** Of the batch that went wrong, the first; nothing was begun after it. */
  readonly error: Error | undefined;
}

/**
 * Calls `act` so often, in batches of 1, 2, 4, …, each at once. After a batch with a failure it stops: what
 * is refused for a reason that holds for all of them, such as a quota, is tried once and not 500 times.
 */
export async function slowStart(count: number, act: () => Promise<void>): Promise<SlowStartOutcome> {
  let succeeded = 0;
  let left = count;
  for (let size = Math.min(left, 1); size > 0; size = Math.min(2 * size, left)) {
    const results = await Promise.allSettled(Array.from({ length: size }, () => act()));
    const failed = results.filter((result) => result.status === 'rejected');
    succeeded += size - failed.length;
    if (failed[0] !== undefined) return { succeeded, error: toError(failed[0].reason) };
    left -= size;
  }
  return { succeeded, error: undefined };
}
