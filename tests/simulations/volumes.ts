// Our storage from claim to mount: DirectPV, the volume controllers, the scheduler and the kubelet's volume manager.
import { defineSimulation } from '@windlass/simulation';
import { act } from './volumes/act.ts';
import {
  checkAtRest,
  drivesAreNotOverfull,
  nothingIsLeft,
  volumesAreOneClaims,
} from './volumes/invariants.ts';
import { podsAreWhereTheirVolumesAre, podsRunWithTheirVolumes } from './volumes/pods.ts';

const NODES = ['n0', 'n1', 'n2'];
const MAX_ACTS = 30;

export default defineSimulation('volumes', {
  nodes: NODES.map((name) => ({ name })),
  drives: { perNode: 2, size: '10Gi' },
  processes: {},
  faultsOn: [
    'controllers',
    'scheduler',
    'kubelet',
    'directpv-controller',
    ...NODES.map((name) => `directpv-${name}`),
  ],
  workload: async (user) => {
    const count = 8 + user.random.int(MAX_ACTS - 7);
    for (let step = 0; step < count; step++) {
      await act(user);
      await user.pass(user.random.int(2) === 0 ? user.random.int(300) : user.random.int(4000));
    }
  },
  invariants: {
    "a volume is one claim's": { always: volumesAreOneClaims },
    'pods are where their volumes are': { always: podsAreWhereTheirVolumesAre },
    'pods run with their volumes': { always: podsRunWithTheirVolumes },
    'no drive is overfull': { always: drivesAreNotOverfull },
    'everything is as it says': { atRest: checkAtRest },
    'nothing is left': { afterDeletion: nothingIsLeft },
  },
  // Which drive has which volume depends on what happened meanwhile.
  endState: false,
});
