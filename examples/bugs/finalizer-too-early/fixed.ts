// `withFinalizer` has the order right: the finalizer is there before the bucket is made, and goes when the bucket is
// deleted. Whatever fails is tried again, because the app is still there.
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { type Manager, withFinalizer } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { CLOUD, FINALIZER, scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);
  const buckets = manager.objects(ConfigMap);

  manager
    .controller('apps')
    .for(App)
    .reconcile(async (key, { signal }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined) return;
      const { name } = app.metadata;
      const bucket = `${CLOUD}/${name}`;
      await withFinalizer(
        apps,
        app,
        FINALIZER,
        {
          reconcile: async () => {
            if ((await buckets.find(bucket, { signal })) === undefined)
              await buckets.create(
                { metadata: { name, namespace: CLOUD, labels: { app: name } } },
                { signal },
              );
          },
          cleanUp: () => buckets.delete(bucket, { signal }),
        },
        { signal },
      );
    });
}

export default defineSimulation('finalizer-too-early-fixed', scenario(setUp));
