// The kind has a status subresource, through which nothing but the status can be written, and the patch has only what
// the operator knows.
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';
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

export default defineSimulation('status-over-spec-fixed', scenario(appDefinition, setUp));
