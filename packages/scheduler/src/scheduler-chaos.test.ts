// Random pods, nodes, faults and restarts: whatever happens, at rest no node has more than it can carry, and
// nobody waits who could run.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isAlreadyExists, isNotFound, Quantity } from '@windlass/apimachinery';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { silentLogger } from '@windlass/base';
import { startTestCluster, type TestCluster, type TestManager } from '@windlass/cluster/testing';
import { addKubelet } from '@windlass/kubelet';
import * as fc from 'fast-check';
import { admissionCheck } from './admission-check.ts';
import { Scheduler } from './scheduler.ts';

type Action =
  | { readonly do: 'create'; readonly pod: number; readonly cpu: number }
  | { readonly do: 'delete'; readonly pod: number }
  | { readonly do: 'cordon'; readonly node: number; readonly value: boolean }
  | { readonly do: 'fault'; readonly on: 'binding' | 'status'; readonly afterwards: boolean }
  | { readonly do: 'restart' }
  /** The process is gone after so many writes, and another one takes its place. */
  | { readonly do: 'crash'; readonly writes: number }
  | { readonly do: 'pass'; readonly seconds: number };

const NODES = 3;
const CPUS = 4;
const podNumber = fc.nat(9);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      pod: podNumber,
      cpu: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), pod: podNumber }) },
  fc.record({ do: fc.constant('cordon' as const), node: fc.nat(NODES - 1), value: fc.boolean() }),
  fc.record({
    do: fc.constant('fault' as const),
    on: fc.constantFrom('binding' as const, 'status' as const),
    afterwards: fc.boolean(),
  }),
  fc.record({ do: fc.constant('restart' as const) }),
  fc.record({ do: fc.constant('crash' as const), writes: fc.nat(6) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.nat(15) }) },
);

async function startControlPlane(cluster: TestCluster): Promise<TestManager> {
  // What a crash does to those who work is no news here.
  const made = cluster.manager({ logger: silentLogger });
  await made.manager.add(new Scheduler(made.manager));
  addKubelet(made.manager, {
    nodes: Array.from({ length: NODES }, (_, index) => ({ name: `n${index}`, capacity: { cpu: `${CPUS}` } })),
    admit: admissionCheck,
  });
  await made.manager.start();
  return made;
}

async function openNodes(cluster: TestCluster): Promise<void> {
  await cluster.settled();
  for (let index = 0; index < NODES; index++)
    await cluster.client.resource(Node).patch(`n${index}`, { spec: { taints: [] } }, { type: 'merge' });
}

const cpuOf = ({ spec }: Pod): number =>
  Quantity.from(spec?.containers[0]?.resources?.requests?.['cpu'] ?? '0').value();

async function checkAtRest(cluster: TestCluster): Promise<void> {
  const { items: pods } = await cluster.client.resource(Pod).namespace('default').list();
  const { items: nodes } = await cluster.client.resource(Node).list();
  const free = new Map<string, number>();
  for (const { metadata, spec } of nodes) {
    const name = metadata.name;
    const used = pods
      .filter((pod) => pod.spec?.nodeName === name && pod.status?.phase !== 'Failed')
      .reduce((sum, pod) => sum + cpuOf(pod), 0);
    assert.ok(used <= CPUS, `${name} carries ${used} CPUs`);
    if (spec?.unschedulable !== true) free.set(name, CPUS - used);
  }
  for (const pod of pods) {
    const { name } = pod.metadata;
    if (pod.spec?.nodeName !== undefined) assert.equal(pod.status?.phase, 'Running', name);
    else
      for (const [node, left] of free)
        assert.ok(cpuOf(pod) > left, `${name} waits although ${node} has ${left} CPUs`);
    assert.equal(pod.metadata?.deletionTimestamp, undefined, `${name} does not go`);
  }
}

it('at rest nothing is overfull and nobody waits in vain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      await using cluster = await startTestCluster();
      let current = await startControlPlane(cluster);
      await openNodes(cluster);
      const pods = cluster.client.resource(Pod).namespace('default');
      const replace = async (): Promise<void> => {
        const stopped = current.manager.stop();
        await cluster.clock.advance(0);
        await stopped;
        current = await startControlPlane(cluster);
      };
      const restart = async (): Promise<void> => {
        await cluster.settled();
        await replace();
      };
      for (const step of actions) {
        switch (step.do) {
          case 'create':
            await pods
              .create({
                metadata: { name: `p${step.pod}` },
                spec: {
                  containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: `${step.cpu}` } } }],
                },
              })
              .catch((error: unknown) => assert.ok(isAlreadyExists(error), String(error)));
            break;
          case 'delete':
            await pods
              .delete(`p${step.pod}`)
              .catch((error: unknown) => assert.ok(isNotFound(error), String(error)));
            break;
          case 'cordon':
            await cluster.client
              .resource(Node)
              .patch(`n${step.node}`, { spec: { unschedulable: step.value } });
            break;
          case 'fault':
            current.faults.fail({
              path: step.on === 'binding' ? /\/binding$/ : /pods\/.*\/status$/,
              answer: { code: 500, reason: 'InternalError' },
              afterwards: step.afterwards,
            });
            break;
          case 'restart':
            await restart();
            break;
          case 'crash':
            current.faults.crashAfterWrites(step.writes);
            break;
          case 'pass':
            await cluster.clock.advance(step.seconds * 1000);
            break;
          default:
            step satisfies never;
        }
        if (current.faults.hasCrashed) await replace();
      }
      // One that was about to crash must not do so at rest.
      await restart();
      await cluster.clock.advance(5000);
      // Longer than every back-off.
      await cluster.advance(61_000);
      await cluster.advance(301_000);
      await checkAtRest(cluster);
    }),
    { numRuns: 6 },
  );
});
