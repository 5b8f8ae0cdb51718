// Pods and their devices: the scheduler and the claim controller together, with a driver that the test plays.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLAIM_PROTECTION_FINALIZER, findCondition } from '@windlass/apimachinery';
import { Node, Pod, type PodSpec } from '@windlass/apimachinery/api/core/v1';
import {
  type Device,
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '@windlass/apimachinery/api/resource/v1';
import { compileDeviceSelector } from '@windlass/apiserver';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { addControllers } from '@windlass/controllers';
import { Scheduler } from '../scheduler.ts';

const DRIVER = 'gpu.example.com';
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');
const claims = (cluster: TestCluster) => cluster.client.resource(ResourceClaim).namespace('default');

async function addNode(cluster: TestCluster, name: string): Promise<void> {
  const nodes = cluster.client.resource(Node);
  await nodes.create({ metadata: { name } });
  const allocatable = { cpu: '4', memory: '16Gi', pods: '10' };
  await nodes.status.patch(name, { status: { allocatable, capacity: allocatable } });
  await nodes.patch(name, { spec: { taints: [] } }, { type: 'merge' });
}

const addSlice = (cluster: TestCluster, node: string, devices: Device[]): Promise<unknown> =>
  cluster.client.resource(ResourceSlice).create({
    metadata: { name: node },
    spec: {
      driver: DRIVER,
      nodeName: node,
      pool: { name: node, generation: 1, resourceSliceCount: 1 },
      devices,
    },
  });

const addClass = (cluster: TestCluster): Promise<unknown> =>
  cluster.client.resource(DeviceClass).create({
    metadata: { name: 'gpu' },
    spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
  });

const SPEC = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } };

async function startScheduling() {
  const cluster = await startTestCluster();
  for (const name of ['n1', 'n2']) await addNode(cluster, name);
  await cluster.client.resource(ResourceClaimTemplate).create({
    metadata: { name: 'one-gpu', namespace: 'default' },
    spec: { spec: SPEC },
  });
  const controllers = cluster.manager();
  addControllers(controllers.manager, { controllers: ['resourceclaim-controller', 'garbagecollector'] });
  await controllers.manager.start();
  const scheduler = cluster.manager();
  await scheduler.manager.add(
    new Scheduler(scheduler.manager, { deviceSelectors: { compile: compileDeviceSelector } }),
  );
  await scheduler.manager.start();
  return { cluster, scheduler, [Symbol.asyncDispose]: () => cluster.stop() };
}

async function addPod(
  cluster: TestCluster,
  name: string,
  claim: { resourceClaimName: string } | { resourceClaimTemplateName: string } = {
    resourceClaimTemplateName: 'one-gpu',
  },
  more: Partial<PodSpec> = {},
): Promise<void> {
  await pods(cluster).create({
    metadata: { name },
    spec: {
      containers: [{ name: 'main', image: 'i', resources: { claims: [{ name: 'gpu' }] } }],
      resourceClaims: [{ name: 'gpu', ...claim }],
      ...more,
    },
  });
  await cluster.advance(100);
}

const nodeOf = async (cluster: TestCluster, pod: string): Promise<string | undefined> =>
  (await pods(cluster).get(pod)).spec?.nodeName;
const whyNot = async (cluster: TestCluster, pod: string): Promise<string | undefined> =>
  findCondition((await pods(cluster).get(pod)).status?.conditions, 'PodScheduled')?.message;

describe('a pod with a claim', () => {
  it('goes where a device is, which is then its own', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addClass(cluster);
    await addSlice(cluster, 'n2', [{ name: 'gpu-0' }]);
    await addPod(cluster, 'first');
    assert.equal(await nodeOf(cluster, 'first'), 'n2');
    const { items } = await claims(cluster).listAll();
    const [claim] = items;
    const { uid, name } = (await pods(cluster).get('first')).metadata;
    assert.deepEqual(claim?.metadata.finalizers, [CLAIM_PROTECTION_FINALIZER]);
    assert.deepEqual(claim?.status?.reservedFor, [{ resource: 'pods', name, uid }]);
    const { allocationTimestamp, ...allocation } = claim?.status?.allocation ?? {};
    assert.match(allocationTimestamp ?? '', /Z$/);
    assert.deepEqual(allocation, {
      devices: { results: [{ request: 'gpu', driver: DRIVER, pool: 'n2', device: 'gpu-0' }] },
      nodeSelector: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }] }],
      },
    });
  });

  it('waits until another is done with the device', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addClass(cluster);
    await addSlice(cluster, 'n1', [{ name: 'gpu-0' }]);
    await addPod(cluster, 'first');
    await addPod(cluster, 'second');
    assert.equal(await nodeOf(cluster, 'second'), undefined);
    assert.match((await whyNot(cluster, 'second')) ?? '', /2 cannot allocate all claims/);
    await pods(cluster).delete('first', { gracePeriodSeconds: 0 });
    await cluster.advance(5000);
    assert.equal(await nodeOf(cluster, 'second'), 'n1');
  });

  it('waits for a class, a slice and a claim, and hears of each', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addPod(cluster, 'pod', { resourceClaimName: 'mine' });
    assert.match((await whyNot(cluster, 'pod')) ?? '', /resourceclaim "mine" not found/);
    await claims(cluster).create({ metadata: { name: 'mine' }, spec: SPEC });
    await cluster.advance(2000);
    assert.match((await whyNot(cluster, 'pod')) ?? '', /request gpu: device class gpu does not exist/);
    await addClass(cluster);
    await cluster.advance(5000);
    assert.match((await whyNot(cluster, 'pod')) ?? '', /2 cannot allocate all claims/);
    await addSlice(cluster, 'n1', [{ name: 'gpu-0' }]);
    await cluster.advance(10_000);
    assert.equal(await nodeOf(cluster, 'pod'), 'n1');
  });

  it('may share it with others, who go where it is', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addClass(cluster);
    await addSlice(cluster, 'n2', [{ name: 'gpu-0' }]);
    await claims(cluster).create({ metadata: { name: 'shared' }, spec: SPEC });
    await addPod(cluster, 'first', { resourceClaimName: 'shared' });
    await addPod(cluster, 'second', { resourceClaimName: 'shared' });
    assert.deepEqual([await nodeOf(cluster, 'first'), await nodeOf(cluster, 'second')], ['n2', 'n2']);
    assert.equal((await claims(cluster).get('shared')).status?.reservedFor?.length, 2);
  });

  it('does not get a device twice when many come at once', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addClass(cluster);
    await addSlice(cluster, 'n1', [{ name: 'gpu-0' }, { name: 'gpu-1' }]);
    await addSlice(cluster, 'n2', [{ name: 'gpu-0' }]);
    for (const name of ['a', 'b', 'c', 'd'])
      await pods(cluster).create({
        metadata: { name },
        spec: {
          containers: [{ name: 'main', image: 'i' }],
          resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }],
        },
      });
    await cluster.advance(5000);
    const { items } = await claims(cluster).listAll();
    const given = items.flatMap(({ status }) =>
      (status?.allocation?.devices?.results ?? []).map(({ pool, device }) => `${pool}/${device}`),
    );
    assert.deepEqual(given.toSorted(), ['n1/gpu-0', 'n1/gpu-1', 'n2/gpu-0']);
    const bound = await Promise.all(['a', 'b', 'c', 'd'].map((name) => nodeOf(cluster, name)));
    assert.equal(bound.filter((node) => node !== undefined).length, 3);
  });
});

describe('a pod that does not get its node after all', () => {
  it('is tried again, and keeps its device for it', async () => {
    await using test = await startScheduling();
    const { cluster, scheduler } = test;
    await addClass(cluster);
    await addSlice(cluster, 'n1', [{ name: 'gpu-0' }]);
    scheduler.faults.fail({
      method: 'POST',
      path: /\/binding$/,
      answer: { code: 500, reason: 'InternalError' },
    });
    await addPod(cluster, 'pod');
    await cluster.advance(5000);
    assert.equal(await nodeOf(cluster, 'pod'), 'n1');
    const { items } = await claims(cluster).listAll();
    assert.equal(items[0]?.status?.reservedFor?.length, 1);
  });

  it('gives the device back when the claim cannot be written', async () => {
    await using test = await startScheduling();
    const { cluster, scheduler } = test;
    await addClass(cluster);
    await addSlice(cluster, 'n1', [{ name: 'gpu-0' }]);
    scheduler.faults.fail({
      method: 'PUT',
      path: /resourceclaims\/.*\/status$/,
      answer: { code: 500, reason: 'InternalError' },
    });
    await addPod(cluster, 'pod');
    await cluster.advance(5000);
    assert.equal(await nodeOf(cluster, 'pod'), 'n1');
  });

  it('gets other devices when those that it has are out of reach', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addClass(cluster);
    for (const name of ['n1', 'n2']) await addSlice(cluster, name, [{ name: 'gpu-0' }]);
    const claim = await claims(cluster).create({
      metadata: { name: 'mine', finalizers: [CLAIM_PROTECTION_FINALIZER] },
      spec: SPEC,
    });
    const results = [{ request: 'gpu', driver: DRIVER, pool: 'n1', device: 'gpu-0' }];
    const nodeSelector = {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
    };
    await claims(cluster).status.replace({
      ...claim,
      status: { allocation: { devices: { results }, nodeSelector } },
    });
    const nodeSelection = { nodeSelector: { 'example.com/only': 'here' } };
    await cluster.client.resource(Node).patch('n2', { metadata: { labels: { 'example.com/only': 'here' } } });
    await addPod(cluster, 'pod', { resourceClaimName: 'mine' }, nodeSelection);
    await cluster.advance(10_000);
    assert.equal(await nodeOf(cluster, 'pod'), 'n2');
  });
});

describe('a device that takes time', () => {
  const SLOW = { name: 'gpu-0', bindingConditions: ['Attached'], bindingFailureConditions: ['Failed'] };
  const report = async (cluster: TestCluster, type: string): Promise<void> => {
    const { items } = await claims(cluster).listAll();
    for (const claim of items) {
      const condition = {
        type,
        status: 'True' as const,
        reason: 'Said',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      };
      const devices = [{ driver: DRIVER, pool: 'n1', device: 'gpu-0', conditions: [condition] }];
      await claims(cluster).status.replace({ ...claim, status: { ...claim.status, devices } });
    }
    await cluster.advance(100);
  };

  it('is waited for', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addClass(cluster);
    await addSlice(cluster, 'n1', [SLOW]);
    await addPod(cluster, 'pod');
    assert.equal(await nodeOf(cluster, 'pod'), undefined);
    await report(cluster, 'Attached');
    assert.equal(await nodeOf(cluster, 'pod'), 'n1');
  });

  it('is given up when it says so', async () => {
    await using test = await startScheduling();
    const { cluster } = test;
    await addClass(cluster);
    await addSlice(cluster, 'n1', [SLOW]);
    await addPod(cluster, 'pod');
    await report(cluster, 'Failed');
    const { items } = await claims(cluster).listAll();
    assert.deepEqual(items[0]?.status?.devices, undefined);
    assert.match((await whyNot(cluster, 'pod')) ?? '', /reports Failed/);
  });
});

it('a cluster without such kinds is scheduled on all the same', async () => {
  const cluster = await startTestCluster();
  await using _ = { [Symbol.asyncDispose]: () => cluster.stop() };
  await addNode(cluster, 'n1');
  const { manager, faults } = cluster.manager();
  const answer = { code: 404, reason: 'NotFound' };
  faults.fail({ path: /resource\.k8s\.io/, answer, times: Number.POSITIVE_INFINITY });
  await manager.add(new Scheduler(manager));
  await manager.start();
  await pods(cluster).create({
    metadata: { name: 'pod' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  await cluster.advance(100);
  assert.equal(await nodeOf(cluster, 'pod'), 'n1');
});
