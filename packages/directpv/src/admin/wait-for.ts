import { isExpired, type KubeObject, type ResourceType, type Served } from '@windlass/apimachinery';
import { type Clock, isCancelled, sleep } from '@windlass/base';
import type { Client } from '@windlass/client';

export interface WaitForOptions {
  readonly labelSelector?: string;
  readonly clock: Clock;
  /** Ends the wait; it then resolves all the same. */
  readonly signal: AbortSignal;
}

/** Between two watches when the server ends one at once. */
const PAUSE_MS = 200;

/**
 * Shows every object as it is and then as it changes, until `isDone` says so or the signal aborts. A watch that the
 * server ends is begun anew, with what was missed.
 * @returns whether it is done
 */
export async function waitFor<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  isDone: (object: Served<T>, isDeleted: boolean) => boolean,
  { labelSelector, clock, signal }: WaitForOptions,
): Promise<boolean> {
  const resource = client.resource(type);
  const selection = labelSelector === undefined ? {} : { labelSelector };
  try {
    for (;;) {
      const { items, metadata } = await resource.listAll({ ...selection, signal });
      for (const object of items) if (isDone(object, false)) return true;
      const resourceVersion = metadata.resourceVersion ?? '';
      for await (const { type: event, object } of resource.watch({ ...selection, resourceVersion, signal })) {
        if (event !== 'BOOKMARK' && isDone(object, event === 'DELETED')) return true;
      }
      await sleep(clock, PAUSE_MS, signal);
    }
  } catch (error) {
    if (signal.aborted || isCancelled(error)) return false;
    if (!isExpired(error)) throw error;
    return waitFor(client, type, isDone, { ...selection, clock, signal });
  }
}
