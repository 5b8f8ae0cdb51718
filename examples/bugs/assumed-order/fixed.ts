// What is missing may come: the operator watches what it reads, and each change of a configuration is a reason to look at
// the apps that use it. Order does not matter then.
import { keyOf } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);
  const configs = manager.objects(ConfigMap);
  const known = manager.cluster.cache.kind(App);

  manager
    .controller('apps')
    .for(App)
    .watches(ConfigMap, ({ metadata }) =>
      known
        .list({ namespace: metadata.namespace ?? '' })
        .filter(({ spec }) => spec.config === metadata.name)
        .map(keyOf),
    )
    .reconcile(async (key, { signal }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined || app.status?.isReady === true) return;
      const config = `${app.metadata.namespace}/${app.spec.config ?? ''}`;
      if ((await configs.find(config, { signal })) === undefined) return;
      await apps.status.patch(key, { status: { isReady: true } }, { signal });
    });
}

export default defineSimulation('assumed-order-fixed', scenario(setUp));
