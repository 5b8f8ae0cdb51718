// Each run writes the time into the status, and each write causes the next run: the operator and the API server are busy
// day and night. Seen in Hostzero-GmbH/keycloak-operator#121 and kubevirt/ssp-operator#59.
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);

  manager
    .controller('apps')
    .for(App)
    .reconcile(async (key, { signal }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined) return;
      const checkedAt = new Date(manager.clock.now()).toISOString();
      await apps.status.patch(key, { status: { isReady: true, checkedAt } }, { signal });
    });
}

export default defineSimulation('hot-loop', scenario(setUp));
