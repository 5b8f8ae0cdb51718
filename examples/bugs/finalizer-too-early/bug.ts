// The finalizer is removed first and the bucket deleted then. When the process ends in between, or the deletion fails, the
// app is gone and nobody knows of the bucket any more. Seen in pingcap/tidb-operator#6532, where the finalizer goes as
// soon as a cache shows nothing that is left.
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
      const { name } = app.metadata;
      const bucket = `${CLOUD}/${name}`;
      const { finalizers = [] } = app.metadata;
      if (isBeingDeleted(app)) {
        const { finalizers: left = [] } = removeFinalizer(app, FINALIZER).metadata;
        await apps.patch(key, { metadata: { finalizers: [...left] } }, { signal });
        await buckets.delete(bucket, { signal });
        return;
      }
      if (!hasFinalizer(app, FINALIZER))
        await apps.patch(key, { metadata: { finalizers: [...finalizers, FINALIZER] } }, { signal });
      if ((await buckets.find(bucket, { signal })) === undefined)
        await buckets.create({ metadata: { name, namespace: CLOUD, labels: { app: name } } }, { signal });
    });
}

export default defineSimulation('finalizer-too-early', scenario(setUp));
