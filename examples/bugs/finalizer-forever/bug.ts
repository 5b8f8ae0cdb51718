// The finalizer is removed only if there is a bucket to delete. When the deletion worked and the removal did not, the next
// run finds no bucket, and the app stays in Terminating for ever. Seen in streamnative/pulsar-resources-operator#122 and
// zalando/postgres-operator#2538.
import { hasFinalizer, isBeingDeleted, removeFinalizer } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
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
      const { name, finalizers = [] } = app.metadata;
      const bucket = await buckets.find(`${CLOUD}/${name}`, { signal });
      if (isBeingDeleted(app)) {
        if (bucket === undefined) return;
        await buckets.delete(`${CLOUD}/${name}`, { signal });
        const { finalizers: left = [] } = removeFinalizer(app, FINALIZER).metadata;
        await apps.patch(key, { metadata: { finalizers: [...left] } }, { signal });
        return;
      }
      if (!hasFinalizer(app, FINALIZER))
        await apps.patch(key, { metadata: { finalizers: [...finalizers, FINALIZER] } }, { signal });
      if (bucket === undefined) await buckets.create({ metadata: { name, namespace: CLOUD } }, { signal });
    });
}

export default defineSimulation('finalizer-forever', scenario(setUp));
