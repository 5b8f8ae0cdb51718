import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StatefulSetSpec } from '@windlass/apimachinery/api/apps/v1';
import { set } from './plan-testing.ts';
import { claimsFor, newPod } from './stateful-pods.ts';

const template = {
  metadata: { labels: { app: 'db' } },
  spec: {
    containers: [{ name: 'c' }],
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
    ],
  },
};
const parts = (more: Partial<StatefulSetSpec> = {}): Partial<StatefulSetSpec> => ({
  selector: { matchLabels: { app: 'db' } },
  template,
  volumeClaimTemplates: [{ metadata: { name: 'data', labels: { a: 'b' } }, spec: { accessModes: ['x'] } }],
  ...more,
});

describe('a pod of a stateful set', () => {
  const pod = newPod(set(parts()), template, 2, 'db-hash');

  it('is named after its place, and knows its place and its revision', () => {
    assert.equal(pod.metadata?.name, 'db-2');
    assert.equal(pod.metadata?.generateName, undefined);
    assert.deepEqual(pod.metadata?.labels, {
      app: 'db',
      'statefulset.kubernetes.io/pod-name': 'db-2',
      'apps.kubernetes.io/pod-index': '2',
      'controller-revision-hash': 'db-hash',
    });
  });

  it('is found by that name below the service of the set', () => {
    assert.deepEqual([pod.spec?.hostname, pod.spec?.subdomain], ['db-2', 'db']);
  });

  it('has no domain where the set has no service', () => {
    const alone = newPod(set(parts({ serviceName: '' })), template, 2, 'db-hash');
    assert.deepEqual([alone.spec?.hostname, alone.spec?.subdomain], ['db-2', undefined]);
  });

  it('has its own claims for volumes, in the place of those of the template', () => {
    assert.deepEqual(pod.spec?.volumes, [
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-2', readOnly: false } },
      { name: 'tmp', emptyDir: {} },
    ]);
  });
});

describe('a claim of a pod', () => {
  it('is named after the template and the pod, and is selected as the pod is', () => {
    assert.deepEqual(claimsFor(set(parts()), 2), [
      {
        metadata: { name: 'data-db-2', namespace: 'default', labels: { a: 'b', app: 'db' } },
        spec: { accessModes: ['x'] },
      },
    ]);
  });
});
