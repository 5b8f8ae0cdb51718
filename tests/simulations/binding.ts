// Which claim gets which volume, and where its pod runs: the scheduler, the volume controllers, and a provisioner that
// sometimes refuses.
import { CSIDriver, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { defineSimulation, type User } from '@windlass/simulation';
import { act, ZONES } from './binding/act.ts';
import {
  nobodyWaitsInVain,
  nothingIsLeft,
  podsGoWhereTheirVolumesAre,
  volumesAreOneClaims,
  volumesAreTheirClaims,
} from './binding/invariants.ts';
import { addProvisioner, DRIVER } from './binding/provisioner.ts';

const MAX_ACTS = 30;

export default defineSimulation('binding', {
  nodes: ZONES.map((zone) => ({ name: `n-${zone}`, labels: { zone } })),
  processes: { provisioner: addProvisioner },
  faultsOn: ['controllers', 'scheduler', 'provisioner'],
  workload: async (user) => {
    await makeClasses(user);
    const count = 8 + user.random.int(MAX_ACTS - 7);
    for (let step = 0; step < count; step++) {
      await act(user);
      await user.pass(user.random.int(2) === 0 ? user.random.int(300) : user.random.int(4000));
    }
  },
  invariants: {
    "a volume is one claim's": { always: volumesAreOneClaims },
    'a pod goes only where its volumes are': { always: podsGoWhereTheirVolumesAre },
    'a bound claim has its volume': { atRest: volumesAreTheirClaims },
    'nobody waits in vain': { atRest: nobodyWaitsInVain },
    'nothing is left': { afterDeletion: nothingIsLeft },
  },
  // Which claim has which volume depends on what happened meanwhile.
  endState: false,
});

/** Claims of class `hand` have no class that says how: they are bound at once, or never. */
async function makeClasses({ client }: User): Promise<void> {
  await client.resource(CSIDriver).create({ metadata: { name: DRIVER }, spec: { attachRequired: false } });
  for (const [name, provisioner] of [
    ['local', 'kubernetes.io/no-provisioner'],
    ['made', DRIVER],
  ] as const)
    await client
      .resource(StorageClass)
      .create({ metadata: { name }, provisioner, volumeBindingMode: 'WaitForFirstConsumer' });
}
