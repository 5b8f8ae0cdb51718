// Our own controllers, scheduler and kubelet: random workloads, and everything that can go wrong around them.
import { defineSimulation } from '@windlass/simulation';
import { act, guard } from './workloads/act.ts';
import { CPUS, drawAction, NODES } from './workloads/actions.ts';
import { budgetIsKept, noNodeIsOverfull, ordinalsAreAlone } from './workloads/always.ts';
import { checkAtRest } from './workloads/at-rest.ts';
import { nothingIsLeft } from './workloads/nothing-left.ts';

const MAX_ACTIONS = 25;

export default defineSimulation('workloads', {
  nodes: NODES.map((name) => ({ name, capacity: { cpu: String(CPUS) } })),
  processes: {},
  faultsOn: ['controllers', 'scheduler', 'kubelet'],
  workload: async (user) => {
    await guard(user);
    await user.pass(5000);
    const count = 5 + user.random.int(MAX_ACTIONS - 4);
    for (let step = 0; step < count; step++) {
      await act(user, drawAction(user.random));
      await user.pass(user.random.int(2) === 0 ? user.random.int(300) : user.random.int(4000));
    }
  },
  invariants: {
    'no node is overfull': { always: noNodeIsOverfull },
    'an ordinal is alone': { always: ordinalsAreAlone },
    'a budget is kept': { always: budgetIsKept },
    'everything is as it says': { atRest: checkAtRest },
    'nothing is left': { afterDeletion: nothingIsLeft },
  },
  // Which pods a job or a rollout has had depends on what happened meanwhile.
  endState: false,
});
