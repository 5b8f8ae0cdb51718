import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';

/** Twice, a configuration is made, and then an app that uses it. */
export const scenario = (setUp: ProcessOptions['setUp']): SimulationOptions => ({
  definitions: [appDefinition],
  processes: { operator: setUp },
  workload: async ({ client, pass }) => {
    const configs = client.resource(ConfigMap).namespace('default');
    const apps = client.resource(App).namespace('default');
    for (const name of ['a', 'b']) {
      await configs.create({ metadata: { name: `${name}-settings` }, data: { colour: 'green' } });
      await apps.create({ metadata: { name }, spec: { config: `${name}-settings` } });
      await pass(2000);
    }
  },
  invariants: {
    'an app with its configuration is ready': async (state) => {
      const waiting = (await state.list(App)).find(({ status }) => status?.isReady !== true);
      return waiting && `app ${waiting.metadata?.name} is not ready`;
    },
  },
});
