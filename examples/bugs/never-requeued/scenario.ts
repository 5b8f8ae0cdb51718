import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';

/** The version of each app is told in its status; in the end it must be the newest, as without faults. */
export const scenario = (setUp: ProcessOptions['setUp']): SimulationOptions => ({
  definitions: [appDefinition],
  processes: { operator: setUp },
  workload: async ({ client, pass }) => {
    const apps = client.resource(App).namespace('default');
    await apps.create({ metadata: { name: 'a' }, spec: { version: '1' } });
    await pass(2000);
    await apps.patch('a', { spec: { version: '2' } });
    await pass(2000);
  },
});
