import {
  goQuote,
  newBadRequest,
  newNotFound,
  newTooLargeResourceVersion,
  parseResourceVersion,
} from '@windlass/apimachinery';
import { DeadlineError, toError, withDeadline } from '@windlass/base';
import { groupResource, keyOfTarget, type ServedObject, served, type Target } from '../resource/target.ts';
import type { VerbRuntime } from './runtime.ts';

/** How long a read waits for a version that is not there yet. */
const FRESHNESS_TIMEOUT_MS = 3000;

export async function getObject(
  runtime: VerbRuntime,
  target: Target,
  resourceVersion = '',
): Promise<ServedObject> {
  await waitForVersion(runtime, resourceVersion, target.context.signal);
  const stored = await runtime.store.get(keyOfTarget(target), { cached: resourceVersion !== '' });
  if (stored === undefined) throw newNotFound(groupResource(target), target.name);
  return served(target.definition, stored);
}

/** Not older than the version asked for: waits a little for one that is still to come. */
export async function waitForVersion(
  { store, clock }: Pick<VerbRuntime, 'store' | 'clock'>,
  resourceVersion: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const revision = parseVersion(resourceVersion);
  if (revision <= store.revision) return;
  using deadline = withDeadline(clock, FRESHNESS_TIMEOUT_MS, 'waiting for a version', signal);
  try {
    await store.waitFor(revision, deadline.signal);
  } catch (error) {
    if (error instanceof DeadlineError) throw newTooLargeResourceVersion(resourceVersion, store.revision, 1);
    throw error;
  }
}

export function parseVersion(resourceVersion: string): number {
  try {
    return parseResourceVersion(resourceVersion);
  } catch (error) {
    throw newBadRequest(
      `invalid resource version: resourceVersion: Invalid value: ${goQuote(resourceVersion)}: ${toError(error).message}`,
    );
  }
}
