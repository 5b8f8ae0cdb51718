// Disruption budgets, as one sees them through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, isTooManyRequests } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { eventsOf } from '@windlass/cluster/testing/objects';
import {
  deployment,
  labels,
  podsOf,
  runPods,
  setReady,
  startControllers,
} from '../testing/controlled-cluster.ts';

const ALL = ['disruption', 'deployment', 'replicaset'];

const budgets = (cluster: TestCluster) => cluster.client.resource(PodDisruptionBudget).namespace('default');

type Spec = NonNullable<PodDisruptionBudget['spec']>;

async function guarded(cluster: TestCluster, replicas: number, spec: Spec): Promise<void> {
  await cluster.client.resource(Deployment).namespace('default').create(deployment('web', replicas));
  await budgets(cluster).create({
    metadata: { name: 'guard' },
    spec: { selector: { matchLabels: labels }, ...spec },
  });
  await runPods(cluster);
}

/** Healthy, wanted, expected, allowed. */
async function numbers(cluster: TestCluster): Promise<unknown[]> {
  const { status } = await budgets(cluster).get('guard');
  return [status?.currentHealthy, status?.desiredHealthy, status?.expectedPods, status?.disruptionsAllowed];
}

describe('a budget', () => {
  const rows: readonly (readonly [spec: Spec, numbers: readonly number[]])[] = [
    [{ minAvailable: 3 }, [4, 3, 4, 1]],
    [{ minAvailable: '60%' }, [4, 3, 4, 1]],
    [{ minAvailable: 5 }, [4, 5, 4, 0]],
    [{ maxUnavailable: 1 }, [4, 3, 4, 1]],
    [{ maxUnavailable: '50%' }, [4, 2, 4, 2]],
  ];
  for (const [spec, wanted] of rows)
    it(`of ${JSON.stringify(spec)} over four pods allows ${wanted[3]}`, async () => {
      await using test = await startControllers(ALL);
      const { cluster } = test;
      await guarded(cluster, 4, spec);
      assert.deepEqual(await numbers(cluster), wanted);
    });

  it('lets so many go and no more, and follows what is ready', async () => {
    await using test = await startControllers(ALL);
    const { cluster } = test;
    await guarded(cluster, 3, { maxUnavailable: 1 });
    const pods = cluster.client.resource(Pod).namespace('default');
    const [one, two] = await podsOf(cluster);
    await pods.evict(one?.metadata?.name ?? '');
    await assert.rejects(pods.evict(two?.metadata?.name ?? ''), isTooManyRequests);
    await cluster.settled();
    assert.deepEqual(await numbers(cluster), [2, 2, 3, 0]);
    const { status } = await budgets(cluster).get('guard');
    const condition = findCondition(status?.conditions, 'DisruptionAllowed');
    assert.deepEqual([condition?.status, condition?.reason], ['False', 'InsufficientPods']);
    await runPods(cluster);
    assert.deepEqual(await numbers(cluster), [3, 2, 3, 1]);
    await setReady(cluster, (await podsOf(cluster)).slice(0, 1), false);
    await cluster.settled();
    assert.deepEqual(await numbers(cluster), [2, 2, 3, 0]);
  });

  const ownedByMap = {
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'm', uid: 'u', controller: true }],
  };
  const uncounted: readonly (readonly [pod: string, owners: object, wanted: unknown[], event: RegExp])[] = [
    ['nobody controls', {}, ['InsufficientPods', ''], /^UnmanagedPods: 1 of the pods .* \(bare is one\)/],
    [
      'somebody controls who cannot be scaled',
      ownedByMap,
      ['SyncFailed', 'v1 ConfigMap "m" of pod "default/bare" cannot be scaled'],
      /^CalculateExpectedPodCountFailed: /,
    ],
  ];
  for (const [which, owners, wanted, event] of uncounted)
    it(`allows nothing for a pod that ${which}`, async () => {
      await using test = await startControllers(ALL);
      const { cluster } = test;
      const spec = { containers: [{ name: 'main', image: 'i' }] };
      await cluster.client
        .resource(Pod)
        .namespace('default')
        .create({ metadata: { name: 'bare', labels, ...owners }, spec });
      await budgets(cluster).create({
        metadata: { name: 'guard' },
        spec: { selector: { matchLabels: labels }, maxUnavailable: 1 },
      });
      await cluster.settled();
      const { status } = await budgets(cluster).get('guard');
      const condition = findCondition(status?.conditions, 'DisruptionAllowed');
      assert.deepEqual([status?.disruptionsAllowed, condition?.reason, condition?.message], [0, ...wanted]);
      assert.match((await eventsOf(cluster, 'guard')).join('\n'), event);
    });
});
