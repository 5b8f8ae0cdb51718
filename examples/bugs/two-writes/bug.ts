// The second write is done only together with the first. When the process ends between the two, or the second one fails,
// the next run finds the first and takes all for done. Seen in rabbitmq/cluster-operator#782 and
// konpyutaika/nifikop#49, both found by Sieve ("intermediate state").
import { setControllerReference } from '@windlass/apimachinery';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);
  const configs = manager.objects(ConfigMap);
  const secrets = manager.objects(Secret);

  manager
    .controller('apps')
    .for(App)
    .owns(ConfigMap)
    .owns(Secret)
    .reconcile(async (key, { signal }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined) return;
      const { name, namespace } = app.metadata;
      const owned = { ownerType: App };
      if ((await configs.find(key, { signal })) !== undefined) return;
      await configs.create(setControllerReference(app, { metadata: { name, namespace } }, owned), { signal });
      await secrets.create(setControllerReference(app, { metadata: { name, namespace } }, owned), { signal });
    });
}

export default defineSimulation('two-writes', scenario(setUp));
