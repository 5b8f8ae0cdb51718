// `manager.objects` asks its own clock before each write whether the lease still holds. A leader that stood still is
// refused before it sends anything.
import { setControllerReference } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { sleep } from '@windlass/base';
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { PARTS, REST_MS, scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);
  const parts = manager.objects(ConfigMap);

  manager
    .controller('apps')
    .for(App)
    .reconcile(async (key, { signal }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined) return;
      const { name, namespace } = app.metadata;
      for (const part of PARTS) {
        const wanted = {
          metadata: { name: `${name}-${part}`, namespace },
          data: { version: app.spec.version ?? '' },
        };
        await parts.apply(setControllerReference(app, wanted, { ownerType: App }), {
          fieldManager: 'apps',
          signal,
        });
        await sleep(manager.clock, REST_MS, signal);
      }
    });
}

export default defineSimulation('former-leader-fixed', scenario(setUp));
