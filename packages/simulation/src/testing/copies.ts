// A program that copies a ConfigMap with two writes. With `generateName` it makes another copy when the second write is
// lost; with a name it cannot.
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { SimulationOptions } from '../simulation.ts';

const SOURCE = 'default/source';

/** @param copy the metadata of the copy */
export function copies(copy: { readonly name?: string; readonly generateName?: string }): SimulationOptions {
  return {
    deletesAll: false,
    endState: false,
    processes: {
      copier: (manager) => {
        const maps = manager.objects(ConfigMap);
        manager
          .controller('copies')
          .for(ConfigMap)
          .reconcile(async (key, { signal }) => {
            const source = key === SOURCE ? await maps.find(key, { signal }) : undefined;
            if (source === undefined || source.metadata.labels?.['copied'] === 'yes') return;
            await maps
              .create({ metadata: { ...copy, namespace: 'default' }, data: { ...source.data } }, { signal })
              .catch((error: unknown) => {
                if (copy.name === undefined) throw error;
              });
            await maps.patch(key, { metadata: { labels: { copied: 'yes' } } }, { signal });
          });
      },
    },
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
}
