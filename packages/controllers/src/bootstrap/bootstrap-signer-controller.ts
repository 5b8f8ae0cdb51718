import { deepCopy, deepEqual, isConflict, isNotFound } from '@windlass/apimachinery';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { CLUSTER_INFO, TOKEN_SECRETS } from './bootstrap-objects.ts';
import { signedClusterInfo } from './signed-cluster-info.ts';

const { namespace, name: mapName } = CLUSTER_INFO;
const OURS = { namespace, fieldSelector: `metadata.name=${mapName}` };
const KEY = `${namespace}/${mapName}`;
/** Timers of more than some days are not exact. */
const LONGEST_MS = 24 * 3_600_000;

/** Signs `cluster-info` with each token that is for signing: whoever has the token can tell that nobody changed it. */
export function addBootstrapSignerController(
  manager: Manager,
  { name, concurrency }: ControllerOptions,
): void {
  const infos = manager.cluster.cache.kind(ConfigMap, OURS);
  const secrets = manager.cluster.cache.kind(Secret, TOKEN_SECRETS);
  const maps = manager.objects(ConfigMap);
  const { clock } = manager;
  manager
    .controller(name)
    .for(ConfigMap, OURS)
    .watches(Secret, () => [KEY], TOKEN_SECRETS)
    .reconcile(
      async (key, { signal }) => {
        const info = infos.find(key);
        if (info === undefined) return undefined;
        const { data, nextEnd } = signedClusterInfo(info.data ?? {}, secrets.list(), clock.now());
        try {
          if (!deepEqual(data, info.data ?? {}))
            await maps.update({ ...deepCopy<ConfigMap>(info), data }, { signal });
        } catch (error) {
          if (isConflict(error) || isNotFound(error)) return { requeue: true };
          throw error;
        }
        if (nextEnd === undefined) return undefined;
        return { requeueAfterMs: Math.min(LONGEST_MS, nextEnd - clock.now() + 1) };
      },
      { concurrency },
    );
}
