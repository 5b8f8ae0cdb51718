import { isNotFound } from '@windlass/apimachinery';
import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { Task, taskDefinition } from '../kinds.ts';

/** So long a finished task is kept. */
export const KEPT_MS = 5000;

/** A finished task is replaced by a new one of the same name, shortly before its time is over. */
export const scenario = (setUp: ProcessOptions['setUp']): SimulationOptions => ({
  definitions: [taskDefinition],
  processes: { sweeper: setUp },
  workload: async ({ client, pass }) => {
    const tasks = client.resource(Task).namespace('default');
    await tasks.create({ metadata: { name: 'nightly' }, spec: { isFinished: true } });
    await pass(3000);
    // A sweeper whose clock is fast may have deleted it: that is fine.
    await tasks.delete('nightly').catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    await tasks.create({ metadata: { name: 'nightly' }, spec: { isFinished: false } });
    await pass(5000);
  },
  invariants: {
    'a task that is not finished stays': async (state) =>
      (await state.find(Task, 'nightly')) === undefined ? 'the new task was deleted' : undefined,
  },
});
