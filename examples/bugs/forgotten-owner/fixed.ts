// The app is the owner from the very first write on, and the garbage collector deletes what it owned. `owns` lets the
// operator hear of changes to it as well.
import { setControllerReference } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);
  const configs = manager.objects(ConfigMap);

  manager
    .controller('apps')
    .for(App)
    .owns(ConfigMap)
    .reconcile(async (key, { signal }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined || (await configs.find(key, { signal })) !== undefined) return;
      const { name, namespace } = app.metadata;
      const config: ConfigMap = { metadata: { name, namespace }, data: { version: app.spec.version ?? '' } };
      await configs.create(setControllerReference(app, config, { ownerType: App }), { signal });
    });
}

export default defineSimulation('forgotten-owner-fixed', scenario(setUp));
