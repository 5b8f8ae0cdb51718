// The name of the server comes with the answer to its creation. When the answer is lost, or the status cannot be written,
// the next run knows of no server and makes another. Seen in kubernetes-sigs/vsphere-csi-driver#2507 (volumes) and
// cloudbase/garm#79 (virtual machines).
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
    .reconcile(async (key, { signal }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined || app.status?.server !== undefined) return;
      const { name, namespace } = app.metadata;
      const metadata = { generateName: `${name}-`, namespace, labels: { app: name } };
      const server = await servers.create(setControllerReference(app, { metadata }, { ownerType: App }), {
        signal,
      });
      await apps.status.patch(key, { status: { server: server.metadata.name } }, { signal });
    });
}

export default defineSimulation('created-twice', scenario(setUp));
