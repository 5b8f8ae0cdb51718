import { setControllerReference } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import type { SimulationOptions } from '../simulation.ts';

/** A small program for tests of the simulation: each ConfigMap with the label `copy` gets a copy of its data. */
export function copier({ forgets = false }: { readonly forgets?: boolean } = {}): SimulationOptions {
  return {
    processes: { copier: (manager) => addCopier(manager, forgets) },
    workload: async ({ client, pass }) => {
      const maps = client.resource(ConfigMap).namespace('default');
      await maps.create({ metadata: { name: 'a', labels: { copy: '' } }, data: { text: 'one' } });
      await pass(1000);
      await maps.patch('a', { data: { text: 'two' } });
      await pass(1000);
    },
  };
}

/** @param forgets the owner of the copies */
function addCopier(manager: Manager, forgets: boolean): void {
  const maps = manager.objects(ConfigMap);
  manager
    .controller('copier')
    // Without a selector: that would be a watch of its own, ahead of or behind the cache that is read.
    .for(ConfigMap)
    .reconcile(async (key) => {
      const original = await maps.find(key);
      if (original?.metadata.labels?.['copy'] === undefined) return;
      const { name, namespace } = original.metadata;
      const copy: ConfigMap = {
        metadata: { name: `${name}-copy`, namespace },
        ...(original.data !== undefined && { data: { ...original.data } }),
      };
      await maps.apply(forgets ? copy : setControllerReference(original, copy, { ownerType: ConfigMap }));
    });
}
