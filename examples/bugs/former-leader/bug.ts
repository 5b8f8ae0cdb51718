// The leader stands still for a minute (a paused machine, a long garbage collection), another one takes over, and the
// first goes on in the middle of its run: it writes the old version over the new. To stop when the lease is lost is not
// enough, because it does not know yet. Seen in cilium/cilium#42920 (two operators give out the same addresses).
import { setControllerReference } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { sleep } from '@windlass/base';
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { PARTS, REST_MS, scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);
  const parts = manager.client.resource(ConfigMap);

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
        const owned = setControllerReference(app, wanted, { ownerType: App });
        await parts.namespace(namespace).apply(owned, { fieldManager: 'apps', force: true, signal });
        await sleep(manager.clock, REST_MS, signal);
      }
    });
}

export default defineSimulation('former-leader', scenario(setUp));
