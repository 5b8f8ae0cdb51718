// Random claims, volumes and pods, with faults and crashes between any two writes: whatever happens, at rest no
// volume is two claims', a pod runs only where its volumes are, and nobody waits for what is free.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isAlreadyExists, isNotFound, volumeReaches } from '@windlass/apimachinery';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { silentLogger } from '@windlass/base';
import { startTestCluster, type TestCluster, type TestManager } from '@windlass/cluster/testing';
import { addControllers } from '@windlass/controllers';
import { Scheduler } from '@windlass/scheduler';
import * as fc from 'fast-check';

const ZONES = ['a', 'b'];
const SELECTED = 'volume.kubernetes.io/selected-node';
type Which = 'scheduler' | 'binder';
type Action =
  | { readonly do: 'claim'; readonly index: number; readonly kind: 'local' | 'made' | 'hand' }
  | { readonly do: 'volume'; readonly index: number; readonly kind: 'local' | 'hand'; readonly zone: number }
  | { readonly do: 'pod'; readonly index: number; readonly claims: readonly number[] }
  | { readonly do: 'delete'; readonly what: 'claim' | 'pod'; readonly index: number }
  | { readonly do: 'fault'; readonly on: Which; readonly code: 409 | 500; readonly afterwards: boolean }
  | { readonly do: 'crash'; readonly which: Which; readonly writes: number }
  | { readonly do: 'provision'; readonly refuses: boolean }
  | { readonly do: 'pass'; readonly seconds: number };

const index = fc.nat(3);
const which = fc.constantFrom<Which>('scheduler', 'binder');
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      index,
      kind: fc.constantFrom('local' as const, 'made' as const, 'hand' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('volume' as const),
      index,
      kind: fc.constantFrom('local' as const, 'hand' as const),
      zone: fc.nat(ZONES.length - 1),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pod' as const),
      index,
      claims: fc.uniqueArray(index, { minLength: 1, maxLength: 2 }),
    }),
  },
  fc.record({
    do: fc.constant('delete' as const),
    what: fc.constantFrom('claim' as const, 'pod' as const),
    index,
  }),
  fc.record({
    do: fc.constant('fault' as const),
    on: which,
    code: fc.constantFrom(409 as const, 500 as const),
    afterwards: fc.boolean(),
  }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), which, writes: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('provision' as const), refuses: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.nat(15) }) },
);

const claims = (cluster: TestCluster) => cluster.client.resource(PersistentVolumeClaim).namespace('default');
const volumes = (cluster: TestCluster) => cluster.client.resource(PersistentVolume);
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');

async function start(cluster: TestCluster, part: Which): Promise<TestManager> {
  const made = cluster.manager({ logger: silentLogger });
  if (part === 'scheduler') await made.manager.add(new Scheduler(made.manager));
  else addControllers(made.manager, { controllers: ['persistentvolume-binder', 'pvc-protection'] });
  await made.manager.start();
  return made;
}

async function prepare(cluster: TestCluster): Promise<void> {
  for (const zone of ZONES) {
    const nodes = cluster.client.resource(Node);
    await nodes.create({ metadata: { name: `n-${zone}`, labels: { zone } } });
    const allocatable = { cpu: '4', memory: '16Gi', pods: '10' };
    await nodes.status.patch(`n-${zone}`, { status: { allocatable, capacity: allocatable } });
    await nodes.patch(`n-${zone}`, { spec: { taints: [] } }, { type: 'merge' });
  }
  for (const [name, provisioner] of [
    ['local', 'kubernetes.io/no-provisioner'],
    ['made', 'csi.example.com'],
  ] as const)
    await cluster.client
      .resource(StorageClass)
      .create({ metadata: { name }, provisioner, volumeBindingMode: 'WaitForFirstConsumer' });
}

const disk = (name: string, storageClassName: string, zone: string): PersistentVolume => ({
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName,
    csi: { driver: 'csi.example.com', volumeHandle: name },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
      },
    },
  },
});

/** What a provisioner does for claims that have a node: a volume, or it gives the choice back. */
async function provision(cluster: TestCluster, refuses: boolean): Promise<void> {
  for (const { metadata, spec, status } of (await claims(cluster).list()).items) {
    const node = metadata?.annotations?.[SELECTED];
    if (node === undefined || spec?.storageClassName !== 'made' || (spec.volumeName ?? '') !== '') continue;
    if (status?.phase === 'Bound') continue;
    const name = metadata.name;
    if (refuses)
      await claims(cluster).patch(
        name,
        { metadata: { annotations: { [SELECTED]: null } } },
        { type: 'merge' },
      );
    else {
      const made = disk(`pvc-${metadata.uid}`, 'made', node.replace('n-', ''));
      const claimRef = { namespace: 'default', name, uid: metadata.uid };
      await volumes(cluster)
        .create({ ...made, spec: { ...made.spec, claimRef } })
        .catch(expect(isAlreadyExists));
    }
  }
}

const expect = (guard: (error: unknown) => boolean) => (error: unknown) =>
  assert.ok(guard(error), String(error));

async function act(cluster: TestCluster, step: Action, parts: Record<Which, TestManager>): Promise<void> {
  switch (step.do) {
    case 'claim':
      await claims(cluster)
        .create({
          metadata: { name: `c${step.index}` },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: step.kind,
            resources: { requests: { storage: '1Gi' } },
          },
        })
        .catch(expect(isAlreadyExists));
      break;
    case 'volume':
      await volumes(cluster)
        .create(disk(`v-${step.kind}-${step.index}`, step.kind, ZONES[step.zone] ?? 'a'))
        .catch(expect(isAlreadyExists));
      break;
    case 'pod':
      await pods(cluster)
        .create({
          metadata: { name: `p${step.index}` },
          spec: {
            containers: [{ name: 'main', image: 'i' }],
            volumes: step.claims.map((claim) => ({
              name: `c${claim}`,
              persistentVolumeClaim: { claimName: `c${claim}` },
            })),
          },
        })
        .catch(expect(isAlreadyExists));
      break;
    case 'delete':
      if (step.what === 'pod')
        await pods(cluster).delete(`p${step.index}`, { gracePeriodSeconds: 0 }).catch(expect(isNotFound));
      else await claims(cluster).delete(`c${step.index}`).catch(expect(isNotFound));
      break;
    case 'fault':
      parts[step.on].faults.fail({
        method: 'PUT',
        answer: { code: step.code, reason: step.code === 409 ? 'Conflict' : 'InternalError' },
        afterwards: step.afterwards,
      });
      break;
    case 'crash':
      parts[step.which].faults.crashAfterWrites(step.writes);
      break;
    case 'provision':
      await provision(cluster, step.refuses);
      break;
    case 'pass':
      await cluster.clock.advance(step.seconds * 1000);
      break;
    default:
      step satisfies never;
  }
}

async function checkAtRest(cluster: TestCluster): Promise<void> {
  const { items: allClaims } = await claims(cluster).list();
  const { items: allVolumes } = await volumes(cluster).list();
  const { items: allPods } = await pods(cluster).list();
  const { items: nodes } = await cluster.client.resource(Node).list();
  const bound = allClaims.filter(({ status }) => status?.phase === 'Bound');
  const taken = bound.map(({ spec }) => spec?.volumeName);
  assert.equal(new Set(taken).size, taken.length, "a volume is two claims'");
  for (const { metadata, spec } of bound) {
    const volume = allVolumes.find((each) => each.metadata.name === spec?.volumeName);
    assert.equal(volume?.spec?.claimRef?.uid, metadata.uid, `the volume of ${metadata.name} is another's`);
    assert.equal(volume?.status?.phase, 'Bound');
  }
  const free = allVolumes.filter(
    ({ spec, status }) => spec?.claimRef === undefined && status?.phase === 'Available',
  );
  for (const { metadata, spec } of allPods) {
    const own = (spec?.volumes ?? [])
      .filter(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined)
      .map(({ name }) => allClaims.find((claim) => claim.metadata.name === name));
    if (spec?.nodeName === undefined) {
      const [claim] = own;
      const waitsForDisk =
        own.length === 1 && claim?.spec?.storageClassName === 'local' && claim.status?.phase === 'Pending';
      if (waitsForDisk && claim.metadata?.deletionTimestamp === undefined)
        assert.deepEqual(
          free
            .filter((volume) => volume.spec?.storageClassName === 'local')
            .map((volume) => volume.metadata.name),
          [],
          `${metadata.name} waits although there is a disk`,
        );
      continue;
    }
    const node = nodes.find((each) => each.metadata.name === spec.nodeName);
    assert.ok(node);
    for (const claim of own) {
      const volume = allVolumes.find((each) => each.metadata.name === claim?.spec?.volumeName);
      assert.ok(
        volume !== undefined && volumeReaches(volume, node),
        `${metadata.name} runs without its volume`,
      );
    }
  }
}

it("at rest each volume is one claim's, and pods are where their volumes are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 30 }), async (actions) => {
      await using cluster = await startTestCluster();
      await prepare(cluster);
      const parts = { scheduler: await start(cluster, 'scheduler'), binder: await start(cluster, 'binder') };
      const replace = async (part: Which): Promise<void> => {
        const stopped = parts[part].manager.stop();
        await cluster.clock.advance(0);
        await stopped;
        parts[part] = await start(cluster, part);
      };
      for (const step of actions) {
        await act(cluster, step, parts);
        for (const part of ['scheduler', 'binder'] as const)
          if (parts[part].faults.hasCrashed) await replace(part);
      }
      // What has not happened yet must not happen at rest.
      await cluster.settled();
      await replace('scheduler');
      await replace('binder');
      for (let round = 0; round < 3; round++) {
        await cluster.advance(16_000);
        await provision(cluster, false);
      }
      await cluster.advance(16_000);
      await checkAtRest(cluster);
    }),
    { numRuns: 8 },
  );
});
