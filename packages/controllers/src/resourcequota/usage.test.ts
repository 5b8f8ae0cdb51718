import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { Pod, ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { CLAIMS, isSameStatus, PODS, quotaStatus, resourceCountedBy, resourcesOf } from './usage.ts';

const quota = (hard: Record<string, string>, used?: Record<string, string>): Served<ResourceQuota> =>
  served(ResourceQuota, {
    spec: { hard },
    ...(used !== undefined && { status: { hard, used } }),
  });
const pod = (cpu: string, phase = 'Running'): Served<Pod> =>
  served(Pod, {
    spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }] },
    status: { phase },
  });

describe('names in quotas', () => {
  const rows: [name: string, expected: string | undefined][] = [
    ['pods', '/pods'],
    ['cpu', '/pods'],
    ['limits.memory', '/pods'],
    ['services.loadbalancers', '/services'],
    ['gold.storageclass.storage.k8s.io/requests.storage', '/persistentvolumeclaims'],
    ['gpu.deviceclass.resource.k8s.io/devices', 'resource.k8s.io/resourceclaims'],
    ['count/resourceclaims.resource.k8s.io', 'resource.k8s.io/resourceclaims'],
    ['secrets', '/secrets'],
    ['count/secrets', '/secrets'],
    ['count/deployments.apps', 'apps/deployments'],
    ['count/widgets.example.com', 'example.com/widgets'],
    ['something', undefined],
  ];
  for (const [name, expected] of rows)
    it(name, () => {
      const found = resourceCountedBy(name);
      assert.equal(found === undefined ? undefined : `${found.group}/${found.plural}`, expected);
    });

  it('of one resource make it be counted once', () => {
    assert.deepEqual(
      resourcesOf(quota({ pods: '1', cpu: '1', 'count/pods': '1', 'count/jobs.batch': '1' })),
      [PODS, { group: 'batch', plural: 'jobs' }],
    );
  });
});

describe('the status of a quota', () => {
  it('is what there is; nothing is zero', () => {
    const of = quota({ pods: '10', 'requests.cpu': '4', 'count/pods': '9', 'requests.storage': '1Gi' });
    const objects = [pod('500m'), pod('1'), pod('8', 'Succeeded')];
    assert.deepEqual(
      quotaStatus(
        of,
        [
          { resource: PODS, objects },
          { resource: CLAIMS, objects: [] },
        ],
        0,
      ),
      {
        hard: of.spec?.hard,
        used: { pods: '2', 'requests.cpu': '1500m', 'count/pods': '3', 'requests.storage': '0' },
      },
    );
  });

  it('keeps what could not be counted, and drops what is no longer limited', () => {
    const of: Served<ResourceQuota> = {
      ...quota({ 'count/widgets.example.com': '5', 'count/gadgets.example.com': '5' }),
      status: { hard: { pods: '1' }, used: { 'count/widgets.example.com': '3', pods: '1' } },
    };
    assert.deepEqual(quotaStatus(of, [], 0).used, { 'count/widgets.example.com': '3' });
  });

  it('is written when it says something else, however it is spelled', () => {
    const status = (used: Record<string, string>, hard = { cpu: '2' }) => ({ hard, used });
    assert.ok(isSameStatus(status({ cpu: '1000m' }), status({ cpu: '1' })));
    assert.ok(!isSameStatus(status({ cpu: '1001m' }), status({ cpu: '1' })));
    assert.ok(!isSameStatus(status({ cpu: '1' }), status({ cpu: '1' }, { cpu: '3' })));
    assert.ok(!isSameStatus(status({}), status({ cpu: '0' })));
    assert.ok(!isSameStatus(undefined, status({})), 'also when there is nothing to say');
  });
});
