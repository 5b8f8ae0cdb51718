// A plan that names a process that is not there, for the tests of `windlass sim`.
import { defineSimulation } from '@windlass/simulation';

export const badPlan = defineSimulation('bad-plan', {
  processes: { operator: () => {} },
  workload: () => Promise.resolve(),
  plan: [{ kind: 'kill', process: 'nobody', when: 0, downMs: 10 }],
});
