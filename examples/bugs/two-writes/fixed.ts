// Each thing is looked for by itself. Whichever write was the last before a crash, the next run does what is missing.
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
      if ((await configs.find(key, { signal })) === undefined)
        await configs.create(setControllerReference(app, { metadata: { name, namespace } }, owned), {
          signal,
        });
      if ((await secrets.find(key, { signal })) === undefined)
        await secrets.create(setControllerReference(app, { metadata: { name, namespace } }, owned), {
          signal,
        });
    });
}

export default defineSimulation('two-writes-fixed', scenario(setUp));
