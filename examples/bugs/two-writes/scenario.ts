import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';

/** Each app gets a configuration and a password. In the end both must be there, as without faults. */
export const scenario = (setUp: ProcessOptions['setUp']): SimulationOptions => ({
  definitions: [appDefinition],
  processes: { operator: setUp },
  workload: async ({ client, pass }) => {
    await client
      .resource(App)
      .namespace('default')
      .create({ metadata: { name: 'a' }, spec: { version: '1' } });
    await pass(2000);
  },
});
