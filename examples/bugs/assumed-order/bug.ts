// The configuration was made first, so it must be there when the app is seen; if not, the app is wrong, and trying again is
// of no use. But each kind has a watch of its own, and the news of the app can be the first to arrive. Seen in
// Kuadrant/kuadrant-operator#169 (what was missing came later, and nobody looked again).
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { type Manager, TerminalError } from '@windlass/runtime';
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
      if (app === undefined || app.status?.isReady === true) return;
      const config = `${app.metadata.namespace}/${app.spec.config ?? ''}`;
      if ((await configs.find(config, { signal })) === undefined)
        throw new TerminalError(`there is no ConfigMap ${config}`);
      await apps.status.patch(key, { status: { isReady: true } }, { signal });
    });
}

export default defineSimulation('assumed-order', scenario(setUp));
