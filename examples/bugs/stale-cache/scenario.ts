import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';

/** Two apps with data; one of them is deleted. The janitor deletes the data of apps that are gone. */
export const scenario = (setUp: ProcessOptions['setUp']): SimulationOptions => ({
  definitions: [appDefinition],
  processes: { janitor: setUp },
  workload: async ({ client, pass }) => {
    const apps = client.resource(App).namespace('default');
    const data = client.resource(ConfigMap).namespace('default');
    for (const app of ['a', 'b']) {
      await apps.create({ metadata: { name: app }, spec: {} });
      await pass(500);
      await data.create({ metadata: { name: `${app}-data`, labels: { app } }, data: { orders: '42' } });
      await pass(1000);
    }
    await apps.delete('b');
    await pass(3000);
  },
  invariants: {
    'an app has its data': async (state) => {
      const names = new Set((await state.list(ConfigMap)).map(({ metadata }) => metadata?.name));
      const lost = (await state.list(App)).find(({ metadata }) => !names.has(`${metadata?.name}-data`));
      return lost && `the data of app ${lost.metadata?.name} is gone`;
    },
  },
});
