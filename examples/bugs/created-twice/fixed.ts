// The name follows from the app, so that it is known before anything is made, and a second creation is refused
// (AlreadyExists) instead of done.
import { setControllerReference } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);
  const servers = manager.objects(ConfigMap);

  manager
    .controller('apps')
    .for(App)
    .owns(ConfigMap)
    .reconcile(async (key, { signal }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined) return;
      const { name, namespace } = app.metadata;
      const server = `${name}-server`;
      const metadata = { name: server, namespace, labels: { app: name } };
      if ((await servers.find(`${namespace}/${server}`, { signal })) === undefined)
        await servers.create(setControllerReference(app, { metadata }, { ownerType: App }), { signal });
      if (app.status?.server !== server) await apps.status.patch(key, { status: { server } }, { signal });
    });
}

export default defineSimulation('created-twice-fixed', scenario(setUp));
