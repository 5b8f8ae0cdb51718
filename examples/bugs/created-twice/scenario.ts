import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';

/** Each app gets one server, which costs money. */
export const scenario = (setUp: ProcessOptions['setUp']): SimulationOptions => ({
  definitions: [appDefinition],
  processes: { operator: setUp },
  workload: async ({ client, pass }) => {
    await client
      .resource(App)
      .namespace('default')
      .create({ metadata: { name: 'a' }, spec: {} });
    await pass(2000);
  },
  invariants: {
    'one server for each app': {
      always: async (state) => {
        const servers = (await state.list(ConfigMap)).filter(
          ({ metadata }) => metadata?.labels?.['app'] === 'a',
        );
        return servers.length > 1 ? `app a has ${servers.length} servers` : undefined;
      },
    },
  },
});
