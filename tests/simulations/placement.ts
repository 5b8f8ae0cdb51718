// Where pods of different sizes go, on nodes that people close and open: the scheduler.
import { defineSimulation } from '@windlass/simulation';
import { act, CPUS, NODES } from './placement/act.ts';
import { nobodyWaitsInVain, noNodeIsOverfull, openNodes } from './placement/invariants.ts';

const MAX_ACTS = 40;

export default defineSimulation('placement', {
  nodes: NODES.map((name) => ({ name, capacity: { cpu: `${CPUS}` } })),
  processes: {},
  faultsOn: ['controllers', 'scheduler', 'kubelet'],
  workload: async (user) => {
    const count = 8 + user.random.int(MAX_ACTS - 7);
    for (let step = 0; step < count; step++) {
      await act(user);
      await user.pass(user.random.int(2) === 0 ? user.random.int(300) : user.random.int(4000));
    }
  },
  invariants: {
    'no node is overfull': { always: noNodeIsOverfull },
    'nobody waits in vain': { atRest: nobodyWaitsInVain },
    'nodes are as people left them': { atRest: openNodes },
  },
  // Which pod goes where depends on what happened meanwhile.
  endState: false,
});
