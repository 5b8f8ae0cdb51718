// Devices for pods in the whole cluster: a class, what drivers publish of two nodes, a template, and pods that want them.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CLAIM_PROTECTION_FINALIZER, findCondition } from '@windlass/apimachinery';
import { Event, Pod, ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '@windlass/apimachinery/api/resource/v1';
import { until } from '@windlass/base/testing/until';
import { createClient } from '@windlass/client';
import { startCluster } from '@windlass/cluster';

const DRIVER = 'gpu.example.com';

it('pods get devices, wait for them, and give them back', { timeout: 120_000 }, async () => {
  await using cluster = await startCluster({ nodes: 2, controllers: ['*'] });
  const client = createClient({ transport: cluster.transport() });
  const pods = client.resource(Pod).namespace('default');
  const claims = client.resource(ResourceClaim).namespace('default');
  const slices = client.resource(ResourceSlice);
  await client.resource(DeviceClass).create({
    metadata: { name: 'gpu' },
    spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
  });
  const device = (name: string, memory: string) => ({
    name,
    attributes: { model: { string: 'a100' } },
    capacity: { memory: { value: memory } },
  });
  for (const [nodeName, memory] of [
    ['node-1', '16Gi'],
    ['node-2', '80Gi'],
  ] as const)
    await slices.create({
      metadata: { name: `${nodeName}-gpus` },
      spec: {
        driver: DRIVER,
        nodeName,
        pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
        devices: [device('gpu-0', memory)],
      },
    });
  const expression = `device.capacity["${DRIVER}"].memory.compareTo(quantity("40Gi")) >= 0`;
  const exactly = { deviceClassName: 'gpu', selectors: [{ cel: { expression } }] };
  await client.resource(ResourceClaimTemplate).create({
    metadata: { name: 'big-gpu', namespace: 'default' },
    spec: { spec: { devices: { requests: [{ name: 'gpu', exactly }] } } },
  });
  await client.resource(ResourceQuota).create({
    metadata: { name: 'gpus', namespace: 'default' },
    spec: { hard: { 'gpu.deviceclass.resource.k8s.io/devices': '2' } },
  });
  const create = (name: string): Promise<unknown> =>
    pods.create({
      metadata: { name },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image: 'i', resources: { claims: [{ name: 'gpu' }] } }],
        resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'big-gpu' }],
      },
    });
  const running = (name: string) =>
    until(
      `${name} runs`,
      () => pods.get(name),
      ({ status }) => status?.phase === 'Running',
    );

  await create('first');
  const first = await running('first');
  assert.equal(first.spec?.nodeName, 'node-2', 'only there is a device that is large enough');
  const name = first.status?.resourceClaimStatuses?.[0]?.resourceClaimName ?? '';
  const claim = await claims.get(name);
  assert.deepEqual(claim.metadata.finalizers, [CLAIM_PROTECTION_FINALIZER]);
  assert.partialDeepStrictEqual(claim.status, {
    allocation: {
      devices: { results: [{ request: 'gpu', driver: DRIVER, pool: 'node-2', device: 'gpu-0' }] },
    },
    reservedFor: [{ resource: 'pods', name: 'first', uid: first.metadata.uid }],
  });

  await create('second');
  const waiting = await until(
    'the second is told that it has to wait',
    async () => findCondition((await pods.get('second')).status?.conditions, 'PodScheduled')?.message ?? '',
    (message) => message !== '',
  );
  assert.match(waiting, /^0\/2 nodes are available: 2 cannot allocate all claims\./);

  await create('third');
  const refusal = await until(
    'the third is told that there is no quota for its claim',
    async () => {
      const { items } = await client.resource(Event).namespace('default').listAll();
      const about = items.find(
        ({ reason, involvedObject }) =>
          reason === 'FailedResourceClaimCreation' && involvedObject.name === 'third',
      );
      return about?.message ?? '';
    },
    (message) => message !== '',
  );
  assert.match(refusal, /^PodResourceClaim gpu: .*exceeded quota: gpus/);
  await pods.delete('third');

  await pods.delete('first');
  const second = await running('second');
  assert.equal(second.spec?.nodeName, 'node-2');
  await until(
    'the claim of the first is gone',
    async () => (await claims.listAll()).items.map(({ metadata }) => metadata.name),
    (names) => !names.includes(name),
  );

  await pods.delete('second');
  await until(
    'all claims are gone',
    async () => (await claims.listAll()).items.length,
    (count) => count === 0,
  );
  const devices = 'gpu.deviceclass.resource.k8s.io/devices';
  await until(
    'the quota has everything back',
    async () => {
      const quota = await client.resource(ResourceQuota).namespace('default').get('gpus');
      return quota.status?.used?.[devices];
    },
    (used) => used === '0',
  );
});
