// The status is written only when it says something new, and its time is that of the change. A predicate
// (`generationChanged`) would hide the loop, and with it what others do to the status.
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
      if (app === undefined || app.status?.isReady === true) return;
      const checkedAt = new Date(manager.clock.now()).toISOString();
      await apps.status.patch(key, { status: { isReady: true, checkedAt } }, { signal });
    });
}

export default defineSimulation('hot-loop-fixed', scenario(setUp));
