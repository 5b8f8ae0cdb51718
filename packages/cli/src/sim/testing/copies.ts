// Two programs for the tests of `windlass sim`: one copies a ConfigMap with two writes, and forgets what it did when
// the second is lost; the other one names its copy after what it copies.
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { defineSimulation, type SimulationOptions } from '@windlass/simulation';

const SOURCE = 'default/source';

function copies(copyMetadata: { readonly name?: string; readonly generateName?: string }) {
  return (manager: Manager): void => {
    const maps = manager.objects(ConfigMap);
    manager
      .controller('copies')
      .for(ConfigMap)
      .reconcile(async (key, { signal }) => {
        const source = key === SOURCE ? await maps.find(key, { signal }) : undefined;
        if (source === undefined || source.metadata.labels?.['copied'] === 'yes') return;
        const copy = { metadata: { ...copyMetadata, namespace: 'default' }, data: { ...source.data } };
        await maps.create(copy, { signal }).catch((error: unknown) => {
          if (copyMetadata.name === undefined) throw error;
        });
        await maps.patch(key, { metadata: { labels: { copied: 'yes' } } }, { signal });
      });
  };
}

const options: Omit<SimulationOptions, 'processes'> = {
  deletesAll: false,
  endState: false,
  faults: ['request'],
  workload: async ({ client, pass }) => {
    const source = { metadata: { name: 'source' }, data: { text: 'hello' } };
    await client.resource(ConfigMap).namespace('default').create(source);
    await pass(5000);
  },
  invariants: {
    'one copy': async (state) => {
      const found = (await state.list(ConfigMap)).filter(({ metadata }) =>
        metadata?.name?.startsWith('copy'),
      );
      return found.length > 1 ? `there are ${found.length} copies` : undefined;
    },
  },
};

export const careful = defineSimulation('careful', {
  ...options,
  processes: { copier: copies({ name: 'copy' }) },
});

// oxlint-disable-next-line import/no-default-export -- what users write, and it comes first
export default defineSimulation('careless', {
  ...options,
  processes: { copier: copies({ generateName: 'copy-' }) },
});
