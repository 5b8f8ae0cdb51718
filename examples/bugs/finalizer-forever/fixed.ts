// To clean up means that the bucket is not there: whether this run deleted it or an earlier one makes no difference.
// `delete` resolves in both cases, and `withFinalizer` removes the finalizer then.
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
              await buckets.create({ metadata: { name, namespace: CLOUD } }, { signal });
          },
          cleanUp: () => buckets.delete(bucket, { signal }),
        },
        { signal },
      );
    });
}

export default defineSimulation('finalizer-forever-fixed', scenario(setUp));
