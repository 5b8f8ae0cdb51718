import {
  newBadRequest,
  newNotFound,
  newTooLargeResourceVersion,
  parseResourceVersion,
} from '@windlass/apimachinery';
import { DeadlineError, withDeadline } from '@windlass/base';
import type { Stored } from '../resource/strategy.ts';
import type { StoredObject } from '../storage/store.ts';
import type { VerbRuntime } from './runtime.ts';
import { fromStorage, groupResource, keyOfTarget, type Target } from './target.ts';

/** How long a read waits for a version that is not there yet. */
const FRESHNESS_TIMEOUT_MS = 3000;

export interface ReadObject {
  readonly object: Stored;
  /** Undefined when the object is not served in the form in which it is stored. */
  readonly stored: StoredObject | undefined;
}

export async function getObject(
  runtime: VerbRuntime,
  target: Target,
  resourceVersion = '',
): Promise<ReadObject> {
  await waitForVersion(runtime, resourceVersion, target.context.signal);
  const stored = await runtime.store.get(keyOfTarget(target));
  if (stored === undefined) throw newNotFound(groupResource(target), target.name);
  const object = await fromStorage(target.definition, stored);
  return { object, stored: object === stored.object ? stored : undefined };
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
    if (error instanceof DeadlineError) throw newTooLargeResourceVersion(revision, store.revision, 1);
    throw error;
  }
}

export function parseVersion(resourceVersion: string): number {
  try {
    return parseResourceVersion(resourceVersion);
  } catch (error) {
    throw newBadRequest(
      `invalid resource version ${JSON.stringify(resourceVersion)}: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
