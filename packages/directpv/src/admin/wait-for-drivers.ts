import { CSINode } from '@windlass/apimachinery/api/storage/v1';
import { type Clock, throwIfAborted } from '@windlass/base';
import type { Client } from '@windlass/client';
import { DRIVER_NAME } from '../resources/index.ts';
import { waitFor } from './wait-for.ts';

/** When a wait for drivers ends. */
export interface WaitForDriversOptions {
  readonly clock: Clock;
  /** Ends the wait, which then rejects. @default nothing does */
  readonly signal?: AbortSignal | undefined;
}

/** Resolves when the kubelet of each of these nodes has registered the driver. */
export async function waitForDrivers(
  client: Client,
  nodes: readonly string[],
  { clock, signal = new AbortController().signal }: WaitForDriversOptions,
): Promise<void> {
  const missing = new Set(nodes);
  if (missing.size === 0) return;
  await waitFor(
    client,
    CSINode,
    ({ metadata: { name }, spec }, isDeleted) => {
      const isThere = !isDeleted && (spec?.drivers ?? []).some((driver) => driver.name === DRIVER_NAME);
      // A kubelet that takes the driver out again is waited for again.
      if (isThere) missing.delete(name);
      else if (nodes.includes(name)) missing.add(name);
      return missing.size === 0;
    },
    { clock, signal },
  );
  throwIfAborted(signal);
}
