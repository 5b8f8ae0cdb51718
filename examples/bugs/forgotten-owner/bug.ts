// What the operator makes has no owner, so nobody deletes it with the app: years later the cluster is full of it. Seen in
// istio/istio#18031 (a ConfigMap and all Secrets stay) and kloeckner-i/db-operator#163.
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
    .reconcile(async (key, { signal }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined || (await configs.find(key, { signal })) !== undefined) return;
      const { name, namespace } = app.metadata;
      await configs.create(
        { metadata: { name, namespace }, data: { version: app.spec.version ?? '' } },
        { signal },
      );
    });
}

export default defineSimulation('forgotten-owner', scenario(setUp));
