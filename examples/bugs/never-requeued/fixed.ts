// What is thrown is logged and tried again, each time a little later. Catch only what you have an answer to.
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
      if (app === undefined || app.status?.version === app.spec.version) return;
      await apps.status.patch(key, { status: { version: app.spec.version ?? '' } }, { signal });
    });
}

export default defineSimulation('never-requeued-fixed', scenario(setUp));
