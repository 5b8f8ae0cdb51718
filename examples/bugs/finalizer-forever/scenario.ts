import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';

/** Buckets stand for what is outside of the cluster: nothing owns them. */
export const CLOUD = 'cloud';
export const FINALIZER = 'gallery.windlass.dev/bucket';

/** Each app gets a bucket. One app is deleted, and must be gone when everything is. */
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
  // The other oracle would say the same earlier, and not that it is about a finalizer.
  endState: false,
});
