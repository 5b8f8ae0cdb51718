import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';

/** Each app gets a configuration. The run itself deletes everything at its end, and looks what is left. */
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
