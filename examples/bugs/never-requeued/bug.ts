// An error is logged and the run ends as if all were well. Nothing makes the operator look again, until somebody restarts
// it. Seen in IBM/ibm-common-service-operator#2426 (another error variable was returned) and
// operator-framework/operator-sdk#2375.
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);

  manager
    .controller('apps')
    .for(App)
    .reconcile(async (key, { signal, logger }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined || app.status?.version === app.spec.version) return;
      try {
        await apps.status.patch(key, { status: { version: app.spec.version ?? '' } }, { signal });
      } catch (error) {
        logger.warn('could not write the status', { error });
      }
    });
}

export default defineSimulation('never-requeued', scenario(setUp));
