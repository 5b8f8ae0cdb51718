import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Event, Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import { served } from '@windlass/apimachinery/testing';
import { startTestCluster } from '@windlass/cluster/testing';
import { all } from '@windlass/cluster/testing/objects';
import { addKubelet } from '../kubelet.ts';
import { claimProblem } from './claim-wait.ts';
import { testPod } from './testing.ts';

describe('a pod may use a claim', () => {
  const pod = testPod();
  const claim = (status: ResourceClaim['status']) =>
    served(ResourceClaim, { metadata: { name: 'c' }, spec: {}, ...(status !== undefined && { status }) });
  const mine = { resource: 'pods', name: 'p', uid: 'u' };
  for (const [when, status, expected] of [
    ['when it is allocated and reserved for it', { allocation: {}, reservedFor: [mine] }, undefined],
    ['not before it is allocated', {}, 'ResourceClaim c is not allocated'],
    [
      'not when it is for others',
      { allocation: {}, reservedFor: [{ ...mine, uid: 'v' }] },
      'pod p (u) is not allowed to use ResourceClaim c (uid-of-c)',
    ],
  ] as const)
    it(when, () => {
      const given = { ...status, reservedFor: [...('reservedFor' in status ? status.reservedFor : [])] };
      assert.equal(claimProblem(claim(given), pod), expected);
    });
});

it('a pod that has its node waits for its devices, and then runs', async () => {
  const cluster = await startTestCluster();
  await using _ = { [Symbol.asyncDispose]: () => cluster.stop() };
  const { manager } = cluster.manager();
  addKubelet(manager, { nodes: [{ name: 'n1' }] });
  await manager.start();
  await cluster.settled();
  assert.equal((await all(cluster, Node)).length, 1);
  const pods = cluster.client.resource(Pod).namespace('default');
  const pod = await pods.create({
    metadata: { name: 'p' },
    spec: {
      nodeName: 'n1',
      containers: [{ name: 'main', image: 'i' }],
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'mine' }],
    },
  });
  await cluster.advance(3000);
  assert.equal((await pods.get('p')).status?.phase, 'Pending');
  const event = (await all(cluster, Event)).find(({ reason }) => reason === 'FailedPrepareDynamicResources');
  assert.match(event?.message ?? '', /failed to fetch ResourceClaim mine/);
  const claims = cluster.client.resource(ResourceClaim).namespace('default');
  const claim = await claims.create({ metadata: { name: 'mine' }, spec: {} });
  const reservedFor = [{ resource: 'pods', name: 'p', uid: pod.metadata.uid }];
  await claims.status.replace({ ...claim, status: { allocation: {}, reservedFor } });
  await cluster.advance(10_000);
  assert.equal((await pods.get('p')).status?.phase, 'Running');
});
