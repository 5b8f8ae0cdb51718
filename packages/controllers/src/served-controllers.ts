import type { Client } from '@windlass/client';
import { CONTROLLERS } from './controller-list.ts';

/** Which controllers a cluster has the kinds for. */
export interface ServedControllers {
  /** The list, with those left out whose kinds the cluster does not serve. */
  readonly controllers: readonly string[];
  /** Their names. */
  readonly unserved: readonly string[];
}

/**
 * Looks which controllers the cluster has no use for: older ones do not serve all kinds of the release that we follow.
 * A controller of such a kind would wait for it for ever, and its manager with it.
 */
export async function servedControllers(
  controllers: readonly string[],
  client: Client,
  signal: AbortSignal,
): Promise<ServedControllers> {
  const { groups } = await client.discovery.refresh({ signal });
  const served = new Set(
    groups.flatMap(({ group, versions }) =>
      versions.flatMap(({ resources }) =>
        resources.map(({ version, plural }) => `${group}/${version}/${plural}`),
      ),
    ),
  );
  const unserved = CONTROLLERS.filter(({ needs = [] }) =>
    needs.some(({ group, version, plural }) => !served.has(`${group}/${version}/${plural}`)),
  ).map(({ name }) => name);
  // The first entry that names a controller decides.
  return { controllers: [...unserved.map((name) => `-${name}`), ...controllers], unserved };
}
