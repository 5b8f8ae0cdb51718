// The disk says for which claim it was made, by uid, and every run compares. Nothing depends on having seen the state in
// between; a PersistentVolume has the uid of its claim in `claimRef` for the same reason.
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { Claim } from '../kinds.ts';
import { scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const claims = manager.objects(Claim);
  const disks = manager.objects(ConfigMap);

  manager
    .controller('disks')
    .for(Claim)
    .watches(ConfigMap, ({ metadata: { labels, namespace } }) =>
      labels?.['claim'] === undefined ? [] : [`${namespace}/${labels['claim']}`],
    )
    .reconcile(async (key, { signal }) => {
      const [namespace = '', name = ''] = key.split('/');
      const claim = await claims.find(key, { signal });
      const disk = await disks.find(`${namespace}/disk-${name}`, { signal });
      if (disk !== undefined && disk.data?.['madeFor'] !== claim?.metadata.uid) {
        const { uid } = disk.metadata;
        await disks.delete(`${namespace}/disk-${name}`, { preconditions: { uid }, signal });
      } else if (disk !== undefined) return;
      if (claim === undefined) return;
      const metadata = { name: `disk-${name}`, namespace, labels: { claim: name } };
      await disks.create({ metadata, data: { madeFor: claim.metadata.uid } }, { signal });
    });
}

export default defineSimulation('unobserved-state-fixed', scenario(setUp));
