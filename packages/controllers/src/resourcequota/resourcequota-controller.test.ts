// Resource quotas, as one sees them through the API: what is used is counted again when something goes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import {
  ConfigMap,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Secret,
  Service,
} from '@windlass/apimachinery/api/core/v1';
import { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import { PriorityClass } from '@windlass/apimachinery/api/scheduling/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { replicaSet, startControllers } from '../testing/controlled-cluster.ts';

const QUOTA = ['resourcequota'];

const quotas = (cluster: TestCluster) => cluster.client.resource(ResourceQuota).namespace('default');
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');
const limit = (
  cluster: TestCluster,
  name: string,
  hard: Record<string, string>,
  more: Partial<NonNullable<ResourceQuota['spec']>> = {},
): Promise<ResourceQuota> => quotas(cluster).create({ metadata: { name }, spec: { hard, ...more } });
const used = async (cluster: TestCluster, name = 'q'): Promise<unknown> => {
  await cluster.settled();
  return (await quotas(cluster).get(name)).status?.used;
};
const pod = (name: string, more: Partial<NonNullable<Pod['spec']>> = {}, cpu = '500m'): Pod => ({
  metadata: { name },
  spec: {
    containers: [
      { name: 'main', image: 'x', ...(cpu !== '' && { resources: { requests: { cpu }, limits: { cpu } } }) },
    ],
    ...more,
  },
});

describe('a quota', () => {
  it('knows at once what there is', async () => {
    await using test = await startControllers(QUOTA);
    const { cluster } = test;
    await pods(cluster).create(pod('early'));
    await limit(cluster, 'q', {
      pods: '5',
      'requests.cpu': '2',
      secrets: '10',
      'count/replicasets.apps': '1',
    });
    assert.deepEqual(await used(cluster), {
      pods: '1',
      'requests.cpu': '500m',
      secrets: '0',
      'count/replicasets.apps': '0',
    });
    const { status, spec } = await quotas(cluster).get('q');
    assert.deepEqual(status?.hard, spec?.hard);
  });

  it('captures the life of a pod', async () => {
    await using test = await startControllers(QUOTA);
    const { cluster } = test;
    await limit(cluster, 'q', { pods: '2', 'requests.cpu': '1' });
    await cluster.settled();
    await pods(cluster).create(pod('a'));
    await pods(cluster).create(pod('b'));
    await assert.rejects(pods(cluster).create(pod('c')), /exceeded quota: q/);
    assert.deepEqual(await used(cluster), { pods: '2', 'requests.cpu': '1' });
    await pods(cluster).status.patch('a', { status: { phase: 'Succeeded' } });
    assert.deepEqual(await used(cluster), { pods: '1', 'requests.cpu': '500m' });
    await pods(cluster).create(pod('c'));
    await pods(cluster).delete('b', { gracePeriodSeconds: 0 });
    assert.deepEqual(await used(cluster), { pods: '1', 'requests.cpu': '500m' });
  });

  it('does not give back what is charged and still on its way', async () => {
    await using test = await startControllers(QUOTA);
    const { cluster } = test;
    await limit(cluster, 'q', { pods: '9', configmaps: '9' });
    await cluster.settled();
    const charged = { pods: '3', configmaps: '4' };
    await quotas(cluster).status.patch('q', { status: { used: charged } });
    const maps = cluster.client.resource(ConfigMap).namespace('default');
    await pods(cluster).create(pod('a'));
    await maps.create({ metadata: { name: 'a' } });
    assert.deepEqual(await used(cluster), { pods: '4', configmaps: '5' }, 'what came is no reason to count');
    await maps.delete('a');
    const { pods: left, configmaps } = { ...((await used(cluster)) as Record<string, string>) };
    assert.deepEqual([left, Number(configmaps) < 5], ['1', true], 'what went is');
  });

  it('captures the life of services, claims, secrets and other objects', async () => {
    await using test = await startControllers(QUOTA);
    const { cluster } = test;
    await limit(cluster, 'q', {
      services: '9',
      'services.nodeports': '9',
      'services.loadbalancers': '9',
      persistentvolumeclaims: '9',
      'requests.storage': '10Gi',
      'gold.storageclass.storage.k8s.io/requests.storage': '5Gi',
      configmaps: '9',
      secrets: '9',
      'count/replicasets.apps': '9',
    });
    await cluster.settled();
    const in_ = cluster.client;
    const services = in_.resource(Service).namespace('default');
    const ports = [{ port: 80 }];
    await services.create({ metadata: { name: 's' }, spec: { type: 'LoadBalancer', ports } });
    await in_
      .resource(PersistentVolumeClaim)
      .namespace('default')
      .create({
        metadata: { name: 'c' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'gold',
          resources: { requests: { storage: '2Gi' } },
        },
      });
    await in_
      .resource(ConfigMap)
      .namespace('default')
      .create({ metadata: { name: 'm' } });
    await in_
      .resource(Secret)
      .namespace('default')
      .create({ metadata: { name: 'x' } });
    await in_.resource(ReplicaSet).namespace('default').create(replicaSet('r', 0));
    const full = {
      services: '1',
      'services.nodeports': '1',
      'services.loadbalancers': '1',
      persistentvolumeclaims: '1',
      'requests.storage': '2Gi',
      'gold.storageclass.storage.k8s.io/requests.storage': '2Gi',
      configmaps: '1',
      secrets: '1',
      'count/replicasets.apps': '1',
    };
    assert.deepEqual(await used(cluster), full);
    await services.patch('s', { spec: { type: 'ClusterIP', ports: [{ port: 80, nodePort: null }] } });
    await in_.resource(ConfigMap).namespace('default').delete('m');
    await in_.resource(ReplicaSet).namespace('default').delete('r');
    await in_.resource(Secret).namespace('default').delete('x');
    assert.deepEqual(await used(cluster), {
      ...full,
      'services.nodeports': '0',
      'services.loadbalancers': '0',
      configmaps: '0',
      secrets: '0',
      'count/replicasets.apps': '0',
    });
  });

  it('counts only what it is about', async () => {
    await using test = await startControllers(QUOTA);
    const { cluster } = test;
    await cluster.client.resource(PriorityClass).create({ metadata: { name: 'high' }, value: 100 });
    await limit(cluster, 'best-effort', { pods: '5' }, { scopes: ['BestEffort'] });
    await limit(cluster, 'terminating', { pods: '5' }, { scopes: ['Terminating'] });
    await limit(
      cluster,
      'high',
      { pods: '5' },
      {
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      },
    );
    await cluster.settled();
    await pods(cluster).create(pod('plain', {}, ''));
    await pods(cluster).create(pod('short', { activeDeadlineSeconds: 9 }));
    await pods(cluster).create(pod('important', { priorityClassName: 'high' }));
    const all = async (): Promise<unknown[]> =>
      Promise.all(['best-effort', 'terminating', 'high'].map((name) => used(cluster, name)));
    assert.deepEqual(await all(), [{ pods: '1' }, { pods: '1' }, { pods: '1' }]);
    for (const name of ['plain', 'short', 'important'])
      await pods(cluster).delete(name, { gracePeriodSeconds: 0 });
    assert.deepEqual(await all(), [{ pods: '0' }, { pods: '0' }, { pods: '0' }]);
  });

  it('counts a claim by the class that it is given later', async () => {
    await using test = await startControllers(QUOTA);
    const { cluster } = test;
    for (const name of ['gold', 'silver']) {
      const matchExpressions = [
        { scopeName: 'VolumeAttributesClass' as const, operator: 'In' as const, values: [name] },
      ];
      await limit(cluster, name, { persistentvolumeclaims: '5' }, { scopeSelector: { matchExpressions } });
    }
    await cluster.settled();
    const claims = cluster.client.resource(PersistentVolumeClaim).namespace('default');
    await claims.create({
      metadata: { name: 'data' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        volumeAttributesClassName: 'gold',
        volumeName: 'pv',
      },
    });
    const all = async (): Promise<unknown[]> => {
      await cluster.settled();
      return Promise.all(['gold', 'silver'].map((name) => used(cluster, name)));
    };
    const [one, none] = [{ persistentvolumeclaims: '1' }, { persistentvolumeclaims: '0' }];
    assert.deepEqual(await all(), [one, none]);
    const status = { phase: 'Bound', currentVolumeAttributesClassName: 'gold' };
    await claims.status.patch('data', { status }, { type: 'merge' });
    await claims.patch('data', { spec: { volumeAttributesClassName: 'silver' } });
    assert.deepEqual(await all(), [one, one]);
    await claims.status.patch(
      'data',
      { status: { currentVolumeAttributesClassName: 'silver' } },
      { type: 'merge' },
    );
    assert.deepEqual(await all(), [none, one]);
  });

  it('follows what it limits', async () => {
    await using test = await startControllers(QUOTA);
    const { cluster } = test;
    await limit(cluster, 'q', { pods: '5' });
    await pods(cluster).create(pod('a'));
    assert.deepEqual(await used(cluster), { pods: '1' });
    await quotas(cluster).patch('q', { spec: { hard: { pods: null, 'requests.cpu': '3' } } });
    assert.deepEqual(await used(cluster), { 'requests.cpu': '500m' });
    assert.deepEqual((await quotas(cluster).get('q')).status?.hard, { 'requests.cpu': '3' });
  });

  it('is set right after five minutes, whoever wrote it', async () => {
    await using test = await startControllers(QUOTA);
    const { cluster } = test;
    await limit(cluster, 'q', { pods: '5' });
    await cluster.settled();
    await quotas(cluster).status.patch('q', { status: { used: { pods: '4' } } });
    assert.deepEqual(await used(cluster), { pods: '4' });
    await cluster.advance(5 * 60_000 + 1);
    assert.deepEqual(await used(cluster), { pods: '0' });
  });
});

describe('a quota for devices', () => {
  const claim = (name: string, count: number): ResourceClaim => ({
    metadata: { name, namespace: 'default' },
    spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'gpu', count } }] } },
  });

  it('charges claims by their classes, and gives back what goes', async () => {
    await using test = await startControllers(QUOTA);
    const { cluster } = test;
    const claims = cluster.client.resource(ResourceClaim).namespace('default');
    const [devices, count] = [
      'gpu.deviceclass.resource.k8s.io/devices',
      'count/resourceclaims.resource.k8s.io',
    ];
    await limit(cluster, 'q', { [devices]: '3', [count]: '5' });
    await cluster.settled();
    await claims.create(claim('two', 2));
    assert.deepEqual(await used(cluster), { [devices]: '2', [count]: '1' });
    await assert.rejects(
      claims.create(claim('more', 2)),
      /exceeded quota: q, requested: gpu.deviceclass.resource.k8s.io\/devices=2, used: .*=2, limited: .*=3/,
    );
    await claims.delete('two');
    assert.deepEqual(await used(cluster), { [devices]: '0', [count]: '0' });
    await claims.create(claim('more', 2));
  });
});
