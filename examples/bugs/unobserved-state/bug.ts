// The disk is deleted when the provisioner sees that the claim is gone. Between two looks a claim can be gone and there
// again: then it never sees it, and the new claim gets the disk of the old one. Seen in
// instaclustr/cassandra-operator#398 and rabbitmq/cluster-operator#758, both found by Sieve ("unobserved state").
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
      if (claim === undefined) {
        if (disk !== undefined) await disks.delete(`${namespace}/disk-${name}`, { signal });
        return;
      }
      if (disk !== undefined) return;
      const metadata = { name: `disk-${name}`, namespace, labels: { claim: name } };
      await disks.create({ metadata, data: { madeFor: claim.metadata.uid } }, { signal });
    });
}

export default defineSimulation('unobserved-state', scenario(setUp));
