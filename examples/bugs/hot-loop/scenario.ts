import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';

/** An app is made, and then nothing happens any more. */
export const scenario = (setUp: ProcessOptions['setUp']): SimulationOptions => ({
  definitions: [appDefinition],
  processes: { operator: setUp },
  workload: async ({ client, pass }) => {
    await client
      .resource(App)
      .namespace('default')
      .create({ metadata: { name: 'a' }, spec: {} });
    await pass(1000);
  },
});
