// The sample controller in three replicas that share its Foos: no Foo is ever in two hands, none in nobody's, and each
// replica has as many shards as the others.
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { addShards } from '@windlass/runtime';
import { defineSimulation, type State, type User } from '@windlass/simulation';
import { registerFooController } from '../../examples/sample-controller/controller.ts';
import { Foo, fooDefinition } from '../../examples/sample-controller/foo.ts';
import { noObjectInTwoHands } from './shards/hands.ts';
import { RING } from './shards/ring.ts';

const REPLICAS = 3;
const FOOS = 12;

async function live({ client, pass, random }: User): Promise<void> {
  const foos = client.resource(Foo).namespace('default');
  // Others are seen after a lease, and shards then move.
  await pass(random.int(20_000));
  for (let number = 0; number < FOOS; number++) {
    await foos.create({
      metadata: { name: `a${number}` },
      spec: { deploymentName: `a${number}`, replicas: 1 },
    });
    await pass(random.int(3000));
  }
  for (let change = 0; change < FOOS; change++) {
    await foos.patch(`a${random.int(FOOS)}`, { spec: { replicas: 1 + random.int(4) } });
    await pass(random.int(10_000));
  }
}

async function allHaveAShare(state: State): Promise<string | undefined> {
  const leases = (await state.list(Lease)).filter(({ metadata }) => metadata.name.startsWith('foos-shard-'));
  const shares = new Map<string, number>();
  for (const { spec } of leases) {
    const holder = spec?.holderIdentity?.replace(/\/\d+$/, '') ?? '';
    shares.set(holder, (shares.get(holder) ?? 0) + 1);
  }
  const share = RING.count / REPLICAS;
  if (shares.size === REPLICAS && [...shares.values()].every((count) => count === share)) return undefined;
  return `of ${RING.count} shards, not each of ${REPLICAS} replicas has ${share}: ${JSON.stringify([...shares])}`;
}

async function eachFooIsServed(state: State): Promise<string | undefined> {
  for (const { metadata, spec } of await state.list(Foo)) {
    const deployment = await state.find(Deployment, spec.deploymentName);
    if (deployment?.spec?.replicas !== spec.replicas)
      return `${metadata.name} wants ${spec.replicas} replicas, and has ${deployment?.spec?.replicas}`;
  }
  return undefined;
}

export default defineSimulation('shards', {
  definitions: [fooDefinition],
  processes: {
    operator: {
      replicas: REPLICAS,
      setUp: (manager) =>
        void addShards(manager, {
          ...RING,
          kinds: [Foo],
          owned: [Deployment],
          setUp: (part) => void registerFooController(part),
        }),
    },
  },
  workload: live,
  invariants: {
    'no Foo is in two hands': { always: noObjectInTwoHands },
    'each Foo is served': eachFooIsServed,
    'all have a share': allHaveAShare,
  },
  // What people change follows from chance; what must come of it is checked above.
  endState: false,
});
