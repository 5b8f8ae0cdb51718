import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App } from '../kinds.ts';

/** Somebody changes the version of an app, again and again, while the operator writes its status. */
export const scenario = (
  definition: CustomResourceDefinition,
  setUp: ProcessOptions['setUp'],
): SimulationOptions => ({
  definitions: [definition],
  processes: { operator: setUp },
  workload: async ({ client, pass }) => {
    const apps = client.resource(App).namespace('default');
    await apps.create({ metadata: { name: 'a' }, spec: { version: '1' } });
    await pass(1000);
    await apps.patch('a', { spec: { version: '2' } });
    await pass(100);
    await apps.patch('a', { spec: { version: '3' } });
    await pass(3000);
  },
  invariants: {
    'what the user asked for stays': async (state) => {
      const version = (await state.find(App, 'a'))?.spec.version;
      return version === '3' ? undefined : `the user asked for version 3, and the app has version ${version}`;
    },
  },
});
