import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';

/** Buckets stand for what is outside of the cluster: nothing owns them. */
export const CLOUD = 'cloud';
export const FINALIZER = 'gallery.windlass.dev/bucket';

/** Each app gets a bucket. One app is deleted, and its bucket must go with it. */
export const scenario = (setUp: ProcessOptions['setUp']): SimulationOptions => ({
  definitions: [appDefinition],
  namespaces: [CLOUD],
  processes: { operator: setUp },
  workload: async ({ client, pass }) => {
    const apps = client.resource(App).namespace('default');
    await apps.create({ metadata: { name: 'a' }, spec: {} });
    await pass(2000);
    await apps.delete('a');
    await pass(3000);
  },
  invariants: {
    'no bucket without its app': async (state) => {
      const apps = new Set((await state.list(App)).map(({ metadata }) => metadata?.name));
      const orphan = (await state.list(ConfigMap)).find(
        ({ metadata }) =>
          metadata?.namespace === CLOUD && metadata.labels?.['app'] && !apps.has(metadata.labels['app']),
      );
      return orphan && `bucket ${orphan.metadata?.name} is there, and its app is not`;
    },
  },
});
