import { type Clock, type Random, sleep } from '@windlass/base';
import type { Client } from '@windlass/client';
import { type DiscoveredDevice, discoverDevices, initConfigOf } from '../admin/discover.ts';
import { initDrives } from '../admin/init.ts';

/** For `formatDrives`. */
export interface FormatDrivesOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** How often drives are asked for, where some could not be had, and the wait between. */
const ATTEMPTS = 4;
const PAUSE_MS = 1_000;
/** Of a device that is a drive of this cluster already. */
const OURS = /Used by DirectPV/;
/** Another program may look at the device, or have gone on since. */
const PASSING = /In use|internal error/;

/**
 * Formats every drive that is free, without a person who would look and try again: a device that another program looks
 * at is busy for a moment, and nobody else comes back for it. Resolves with a sentence for each drive that could not be
 * formatted, and for each node that did not answer.
 */
export async function formatDrives(
  client: Client,
  { clock, random, signal }: FormatDrivesOptions,
): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++) {
    const { devices, silent } = await discoverDevices(client, { clock, signal });
    const config = initConfigOf(devices);
    const results =
      config.nodes.length === 0 ? [] : await initDrives(client, config, { clock, random, signal });
    const refused = devices.filter(isRefused);
    const failed = results.flatMap(({ node, drive, error }) =>
      error === undefined ? [] : [{ node, name: drive, why: error }],
    );
    const mayPass = failed.length > 0 || refused.some(({ deniedReason = '' }) => PASSING.test(deniedReason));
    if (mayPass && attempt < ATTEMPTS) {
      await sleep(clock, PAUSE_MS, signal);
      continue;
    }
    return [
      ...silent.map((node) => `${node} did not say in time which drives it has; they are not formatted`),
      ...[
        ...refused.map(({ deniedReason = '', ...device }) => ({ ...device, why: deniedReason })),
        ...failed,
      ].map(({ node, name, why }) => `drive ${name} of ${node} is not usable: ${why}`),
    ];
  }
}

function isRefused({ isAvailable, deniedReason = '' }: DiscoveredDevice): boolean {
  return !isAvailable && !OURS.test(deniedReason);
}
