import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  ResourceQuota,
  Service,
} from '../generated/api/core/v1.ts';
import type { ResourceClaim } from '../generated/api/resource/v1.ts';
import type { KubeObject } from '../object.ts';
import { inQuotaScope } from './scopes.ts';
import { countsOnly, quotaUsageOf } from './usage.ts';

const NOW = Date.UTC(2026, 0, 1);
const usage = (plural: string, object: KubeObject, group = ''): Record<string, string> =>
  Object.fromEntries(
    [...quotaUsageOf({ group, plural }, object, NOW)].map(([name, amount]) => [name, String(amount)]),
  );
const pod = (spec: Partial<PodSpec>, status: Pod['status'] = {}, metadata: Pod['metadata'] = {}): Pod => ({
  metadata,
  spec: { containers: [], ...spec },
  status,
});
const asks = (requests: Record<string, string>, limits: Record<string, string> = {}): Partial<PodSpec> => ({
  containers: [{ name: 'main', resources: { requests, limits } }],
});

describe('what an object counts for', () => {
  it('a pod: itself, what it asks for and what it may use', () => {
    const spec = asks(
      { cpu: '1', memory: '1Gi', 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi' },
      { cpu: '2', 'example.com/gpu': '2' },
    );
    assert.deepEqual(usage('pods', pod(spec)), {
      'count/pods': '1',
      pods: '1',
      cpu: '1',
      'requests.cpu': '1',
      memory: '1Gi',
      'requests.memory': '1Gi',
      'requests.example.com/gpu': '2',
      'hugepages-2Mi': '4Mi',
      'requests.hugepages-2Mi': '4Mi',
      'limits.cpu': '2',
    });
  });

  it('a pod with amounts of its own: those', () => {
    const spec = { ...asks({ cpu: '1', memory: '1Gi' }), resources: { requests: { cpu: '3' } } };
    const { cpu, memory } = usage('pods', pod(spec));
    assert.deepEqual([cpu, memory], ['3', '1Gi']);
  });

  it('a pod that has ended, or should have: an object and nothing else', () => {
    const ended = { 'count/pods': '1' };
    assert.deepEqual(usage('pods', pod(asks({ cpu: '1' }), { phase: 'Succeeded' })), ended);
    assert.deepEqual(usage('pods', pod(asks({ cpu: '1' }), { phase: 'Failed' })), ended);
    const going = (second: number): Pod['metadata'] => ({
      deletionTimestamp: new Date(NOW - second * 1000).toISOString(),
      deletionGracePeriodSeconds: 30,
    });
    assert.deepEqual(usage('pods', pod({}, {}, going(31))), ended);
    assert.deepEqual(usage('pods', pod({}, {}, going(30))), { ...ended, pods: '1' });
  });

  it('a claim: its size, also by its class', () => {
    const claim = (size: string, more: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
      spec: { storageClassName: 'fast', resources: { requests: { storage: size } } },
      ...more,
    });
    assert.deepEqual(usage('persistentvolumeclaims', claim('1Gi')), {
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      'requests.storage': '1Gi',
      'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'fast.storageclass.storage.k8s.io/requests.storage': '1Gi',
    });
    const expanded = claim('1Gi', { status: { allocatedResources: { storage: '5Gi' } } });
    assert.equal(usage('persistentvolumeclaims', expanded)['requests.storage'], '5Gi');
    assert.equal(usage('persistentvolumeclaims', claim('1500m'))['requests.storage'], '2');
  });

  it('a claim for devices: what it may get of each class', () => {
    const one = (deviceClassName: string, count: number) => ({
      deviceClassName,
      allocationMode: 'ExactCount',
      count,
    });
    const claim: ResourceClaim = {
      spec: {
        devices: {
          requests: [
            { name: 'a', exactly: one('gpu', 2) },
            { name: 'b', exactly: { deviceClassName: 'nic', allocationMode: 'All' } },
            {
              name: 'c',
              firstAvailable: [
                { name: 'x', ...one('gpu', 1) },
                { name: 'y', ...one('gpu', 4) },
                { name: 'z', ...one('tpu', 1) },
              ],
            },
          ],
        },
      },
    };
    assert.deepEqual(usage('resourceclaims', claim, 'resource.k8s.io'), {
      'count/resourceclaims.resource.k8s.io': '1',
      'gpu.deviceclass.resource.k8s.io/devices': '6',
      'nic.deviceclass.resource.k8s.io/devices': '32',
      'tpu.deviceclass.resource.k8s.io/devices': '1',
    });
  });

  it('a service: its ports on nodes and its balancer', () => {
    const rows: [spec: Service['spec'], nodeports: string | undefined, balancers: string | undefined][] = [
      [{ ports: [{ port: 1 }] }, undefined, undefined],
      [{ type: 'NodePort', ports: [{ port: 1 }, { port: 2 }] }, '2', undefined],
      [{ type: 'LoadBalancer', ports: [{ port: 1 }, { port: 2 }] }, '2', '1'],
      [
        {
          type: 'LoadBalancer',
          allocateLoadBalancerNodePorts: false,
          ports: [{ port: 1, nodePort: 30_000 }, { port: 2 }],
        },
        '1',
        '1',
      ],
    ];
    for (const [spec = {}, nodeports, balancers] of rows) {
      const used = usage('services', { spec } as Service);
      assert.deepEqual(
        [used['services'], used['services.nodeports'], used['services.loadbalancers']],
        ['1', nodeports, balancers],
      );
    }
  });

  it('anything else: itself', () => {
    assert.deepEqual(usage('secrets', {}), { 'count/secrets': '1', secrets: '1' });
    assert.deepEqual(usage('deployments', {}, 'apps'), { 'count/deployments.apps': '1' });
    assert.deepEqual(usage('endpoints', {}), { 'count/endpoints': '1' });
  });
});

it('a name counts objects of one resource', () => {
  const rows: [name: string, plural: string | undefined][] = [
    ['pods', 'pods'],
    ['count/pods', 'pods'],
    ['requests.cpu', 'pods'],
    ['limits.memory', 'pods'],
    ['requests.example.com/gpu', 'pods'],
    ['hugepages-2Mi', 'pods'],
    ['requests.storage', 'persistentvolumeclaims'],
    ['fast.storageclass.storage.k8s.io/requests.storage', 'persistentvolumeclaims'],
    ['services.nodeports', 'services'],
    ['configmaps', 'configmaps'],
    ['endpoints', undefined],
    ['count/endpoints', 'endpoints'],
  ];
  const plurals = ['pods', 'persistentvolumeclaims', 'services', 'configmaps', 'endpoints'];
  for (const [name, expected] of rows)
    assert.deepEqual(
      plurals.filter((plural) => countsOnly({ group: '', plural }, name)),
      expected === undefined ? [] : [expected],
      name,
    );
});

describe('scopes', () => {
  const scoped = (...scopes: readonly string[]): ResourceQuota => ({ spec: { scopes: [...scopes] } });
  const selected = (scopeName: string, operator: string, values?: string[]): ResourceQuota => ({
    spec: { scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values && { values }) }] } },
  });
  const pods = {
    plain: pod({ containers: [{ name: 'main' }] }),
    limited: pod({ ...asks({ cpu: '1' }), activeDeadlineSeconds: 5 }),
    high: pod({ ...asks({ memory: '1' }), priorityClassName: 'high' }),
    social: pod({
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { topologyKey: 'zone', namespaces: ['other'] } },
          ],
        },
      },
    }),
  };
  const rows: [what: string, quota: ResourceQuota, names: (keyof typeof pods)[]][] = [
    ['none', {}, ['plain', 'limited', 'high', 'social']],
    ['Terminating', scoped('Terminating'), ['limited']],
    ['NotTerminating', scoped('NotTerminating'), ['plain', 'high', 'social']],
    ['BestEffort', scoped('BestEffort'), ['plain', 'social']],
    ['NotBestEffort', scoped('NotBestEffort'), ['limited', 'high']],
    ['both', scoped('NotBestEffort', 'NotTerminating'), ['high']],
    ['CrossNamespacePodAffinity', scoped('CrossNamespacePodAffinity'), ['social']],
    ['PriorityClass', scoped('PriorityClass'), ['high']],
    ['PriorityClass In', selected('PriorityClass', 'In', ['high', 'low']), ['high']],
    ['PriorityClass NotIn', selected('PriorityClass', 'NotIn', ['high']), ['plain', 'limited', 'social']],
    ['PriorityClass DoesNotExist', selected('PriorityClass', 'DoesNotExist'), ['plain', 'limited', 'social']],
    ['one that is none', scoped('Sometimes'), []],
  ];
  for (const [what, quota, names] of rows)
    it(what, () => {
      const found = Object.entries(pods)
        .filter(([, one]) => inQuotaScope(quota, { group: '', plural: 'pods' }, one))
        .map(([name]) => name);
      assert.deepEqual(found, names);
    });

  it('are for pods, and one is for claims', () => {
    const claims = { group: '', plural: 'persistentvolumeclaims' };
    const gold: PersistentVolumeClaim = { spec: { volumeAttributesClassName: 'gold' } };
    assert.ok(!inQuotaScope(scoped('NotBestEffort'), { group: '', plural: 'services' }, {}));
    assert.ok(!inQuotaScope(scoped('NotBestEffort'), claims, gold));
    assert.ok(inQuotaScope(scoped('VolumeAttributesClass'), claims, gold));
    assert.ok(!inQuotaScope(scoped('VolumeAttributesClass'), claims, {}));
    assert.ok(!inQuotaScope(selected('VolumeAttributesClass', 'In', ['silver']), claims, gold));
  });
});
