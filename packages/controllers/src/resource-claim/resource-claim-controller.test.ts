import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLAIM_PROTECTION_FINALIZER, isNotFound, POD_CLAIM_ANNOTATION } from '@windlass/apimachinery';
import { Event, Pod } from '@windlass/apimachinery/api/core/v1';
import { ResourceClaim, ResourceClaimTemplate } from '@windlass/apimachinery/api/resource/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { all } from '@windlass/cluster/testing/objects';
import { startControllers } from '../testing/controlled-cluster.ts';
import { claimNameBase } from './generated-claim.ts';

const CONTROLLERS = ['resourceclaim-controller', 'garbagecollector'];
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');
const claims = (cluster: TestCluster) => cluster.client.resource(ResourceClaim).namespace('default');
const SPEC = { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'gpu' } }] } };
const RESULT = { request: 'a', driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0' };

async function makeTemplate(cluster: TestCluster): Promise<void> {
  await cluster.client.resource(ResourceClaimTemplate).create({
    metadata: { name: 'template', namespace: 'default' },
    spec: { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec: SPEC },
  });
}

const podWith = (
  claim: { resourceClaimName: string } | { resourceClaimTemplateName: string },
  more = {},
): Pod => ({
  metadata: { name: 'pod' },
  spec: {
    containers: [{ name: 'main', image: 'i' }],
    resourceClaims: [{ name: 'gpu', ...claim }],
    ...more,
  },
});
const FROM_TEMPLATE = podWith({ resourceClaimTemplateName: 'template' });

/** As the scheduler does it. */
async function allocate(cluster: TestCluster, name: string, pod?: Pod): Promise<void> {
  const claim = await claims(cluster).get(name);
  const written = await claims(cluster).replace({
    ...claim,
    metadata: { ...claim.metadata, finalizers: [CLAIM_PROTECTION_FINALIZER] },
  });
  const { uid = '', name: podName = '' } = pod?.metadata ?? {};
  const reservedFor = pod === undefined ? [] : [{ resource: 'pods', name: podName, uid }];
  const status = { allocation: { devices: { results: [RESULT] } }, reservedFor };
  await claims(cluster).status.replace({ ...written, status });
  await cluster.settled();
}

describe('a pod with a template of claims', () => {
  it('gets a claim, and is told its name', async () => {
    await using test = await startControllers(CONTROLLERS);
    const { cluster } = test;
    await makeTemplate(cluster);
    const pod = await pods(cluster).create(FROM_TEMPLATE);
    await cluster.settled();
    const [claim, ...more] = await all(cluster, ResourceClaim);
    assert.deepEqual(more, []);
    assert.match(claim?.metadata?.name ?? '', /^pod-gpu-.{5}$/);
    assert.deepEqual(claim?.metadata?.labels, { a: 'b' });
    assert.deepEqual(claim?.metadata?.annotations, { c: 'd', [POD_CLAIM_ANNOTATION]: 'gpu' });
    assert.equal(claim?.metadata?.ownerReferences?.[0]?.uid, pod.metadata.uid);
    const request = claim?.spec.devices?.requests?.[0]?.exactly;
    assert.deepEqual(request, { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 });
    assert.deepEqual((await pods(cluster).get('pod')).status?.resourceClaimStatuses, [
      { name: 'gpu', resourceClaimName: claim?.metadata?.name },
    ]);
  });

  it('gets the one that is there when it could not be told', async () => {
    await using test = await startControllers(CONTROLLERS);
    const { cluster, controllers } = test;
    await makeTemplate(cluster);
    controllers.faults.conflict({ method: 'PATCH', path: /pods\/pod\/status$/ });
    await pods(cluster).create(FROM_TEMPLATE);
    await cluster.advance(5000);
    const [claim, ...more] = await all(cluster, ResourceClaim);
    assert.deepEqual(more, []);
    const [status] = (await pods(cluster).get('pod')).status?.resourceClaimStatuses ?? [];
    assert.equal(status?.resourceClaimName, claim?.metadata?.name);
  });

  it('waits for its template, and says so', async () => {
    await using test = await startControllers(CONTROLLERS);
    const { cluster } = test;
    await pods(cluster).create(FROM_TEMPLATE);
    await cluster.advance(1000);
    const events = await all(cluster, Event);
    const failed = events.find(({ reason }) => reason === 'FailedResourceClaimCreation');
    assert.match(
      failed?.message ?? '',
      /^PodResourceClaim gpu: resource claim template "template": .* not found$/,
    );
    await makeTemplate(cluster);
    await cluster.advance(60_000);
    assert.equal((await all(cluster, ResourceClaim)).length, 1);
  });

  it('gets another when somebody deletes it', async () => {
    await using test = await startControllers(CONTROLLERS);
    const { cluster } = test;
    await makeTemplate(cluster);
    await pods(cluster).create(FROM_TEMPLATE);
    await cluster.settled();
    const [first] = await all(cluster, ResourceClaim);
    await claims(cluster).delete(first?.metadata?.name ?? '');
    await cluster.settled();
    const [second] = await all(cluster, ResourceClaim);
    assert.notEqual(second?.metadata?.uid, first?.metadata?.uid);
    const [status] = (await pods(cluster).get('pod')).status?.resourceClaimStatuses ?? [];
    assert.equal(status?.resourceClaimName, second?.metadata?.name);
  });

  it('takes it along when it has ended', async () => {
    await using test = await startControllers(CONTROLLERS);
    const { cluster } = test;
    await makeTemplate(cluster);
    const pod = await pods(cluster).create(FROM_TEMPLATE);
    await cluster.settled();
    const [claim] = await all(cluster, ResourceClaim);
    await allocate(cluster, claim?.metadata?.name ?? '', pod);
    assert.equal((await all(cluster, ResourceClaim)).length, 1);
    await pods(cluster).status.patch('pod', { status: { phase: 'Succeeded' } });
    await cluster.settled();
    assert.deepEqual(await all(cluster, ResourceClaim), []);
    assert.equal((await pods(cluster).get('pod')).status?.phase, 'Succeeded');
  });
});

describe('a claim that pods share', () => {
  it('is released when the last of them is gone, and stays', async () => {
    await using test = await startControllers(CONTROLLERS);
    const { cluster } = test;
    await claims(cluster).create({ metadata: { name: 'shared' }, spec: SPEC });
    const pod = await pods(cluster).create(podWith({ resourceClaimName: 'shared' }));
    await allocate(cluster, 'shared', pod);
    assert.notEqual((await claims(cluster).get('shared')).status?.allocation, undefined);
    await pods(cluster).delete('pod', { gracePeriodSeconds: 0 });
    await cluster.settled();
    const { metadata, status } = await claims(cluster).get('shared');
    assert.deepEqual([metadata.finalizers, status], [undefined, {}]);
  });

  it('is kept from deletion as long as a pod has it', async () => {
    await using test = await startControllers(CONTROLLERS);
    const { cluster } = test;
    await claims(cluster).create({ metadata: { name: 'shared' }, spec: SPEC });
    const pod = await pods(cluster).create(podWith({ resourceClaimName: 'shared' }));
    await allocate(cluster, 'shared', pod);
    await claims(cluster).delete('shared');
    await cluster.settled();
    assert.notEqual((await claims(cluster).get('shared')).status?.allocation, undefined);
    await pods(cluster).delete('pod', { gracePeriodSeconds: 0 });
    await cluster.settled();
    await assert.rejects(claims(cluster).get('shared'), isNotFound);
  });

  it('is reserved for a pod that got its node from somebody else', async () => {
    await using test = await startControllers(CONTROLLERS);
    const { cluster } = test;
    await claims(cluster).create({ metadata: { name: 'shared' }, spec: SPEC });
    const pod = await pods(cluster).create(podWith({ resourceClaimName: 'shared' }, { nodeName: 'n1' }));
    await allocate(cluster, 'shared');
    const { status } = await claims(cluster).get('shared');
    assert.deepEqual(status?.reservedFor, [{ resource: 'pods', name: 'pod', uid: pod.metadata.uid }]);
  });
});

describe('the name of a claim that is made', () => {
  const long = 'x'.repeat(80);
  for (const [pod, entry, base] of [
    ['pod', 'gpu', 'pod-gpu-'],
    [long, 'gpu', `${'x'.repeat(53)}-gp`],
    ['pod', 'y'.repeat(63), `po-${'y'.repeat(52)}`],
  ] as const)
    it(`begins with ${base}`, () => {
      assert.equal(claimNameBase(pod, entry), base);
      assert.ok(base.length <= 57);
    });
});
