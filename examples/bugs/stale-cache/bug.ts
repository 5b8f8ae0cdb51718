// A cache tells how things were, and each kind has a cache of its own. The one of apps is behind, a new app is not in it
// yet, and the janitor deletes the data of an app that lives. Seen in kubernetes#129795 (a ReplicaSet makes Pods twice)
// and pravega/zookeeper-operator#314 (found by Sieve, "stale state").
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);
  const data = manager.objects(ConfigMap);

  manager
    .controller('janitor')
    .for(ConfigMap)
    .watches(App, ({ metadata }) => [`${metadata.namespace}/${metadata.name}-data`])
    .reconcile(async (key, { signal }) => {
      const kept = await data.find(key, { signal });
      const app = kept?.metadata.labels?.['app'];
      if (kept === undefined || app === undefined) return;
      if ((await apps.find(`${kept.metadata.namespace}/${app}`, { signal })) === undefined)
        await data.delete(key, { signal });
    });
}

export default defineSimulation('stale-cache', scenario(setUp));
