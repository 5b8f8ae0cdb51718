import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';

/** The parts of an app are brought to a new version one after the other, with a rest in between. */
export const PARTS = ['0', '1', '2', '3'];
export const REST_MS = 2000;

/** Two replicas, of which one leads. The version changes while it is at work. */
export const scenario = (setUp: ProcessOptions['setUp']): SimulationOptions => ({
  definitions: [appDefinition],
  processes: { operator: { setUp, replicas: 2, leaderElection: true } },
  workload: async ({ client, pass }) => {
    const apps = client.resource(App).namespace('default');
    await apps.create({ metadata: { name: 'a' }, spec: { version: '1' } });
    await pass(5000);
    await apps.patch('a', { spec: { version: '2' } });
    await pass(20_000);
  },
});
