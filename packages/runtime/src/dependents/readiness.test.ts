import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cached, KubeObject, ResourceType } from '@windlass/apimachinery';
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import {
  ConfigMap,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  Service,
} from '@windlass/apimachinery/api/core/v1';
import { readyWhen } from './child.ts';
import { readinessOf } from './readiness.ts';
import { Website } from './website-testing.ts';

const object = (spec: object, status?: object): Cached<KubeObject> => {
  const made: object = { spec, ...(status !== undefined && { status }) };
  const metadata = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '', generation: 2 };
  return { ...made, metadata };
};
const seen = { observedGeneration: 2 };
const condition = (type: string, status: string, more: object = {}) => ({
  conditions: [{ type, status, ...more }],
});
const NOT_SEEN = 'waiting: its controller has not seen the last change yet';

const rows: readonly [ResourceType, object, object | undefined, string][] = [
  [Deployment, { replicas: 2 }, undefined, NOT_SEEN],
  [Deployment, {}, { observedGeneration: 1, availableReplicas: 1, updatedReplicas: 1 }, NOT_SEEN],
  [Deployment, { replicas: 2 }, { ...seen, updatedReplicas: 1 }, 'waiting: 1 of 2 replicas are updated'],
  [
    Deployment,
    { replicas: 2 },
    { ...seen, updatedReplicas: 2, replicas: 3 },
    'waiting: 1 old replicas are still there',
  ],
  [
    Deployment,
    { replicas: 2 },
    { ...seen, updatedReplicas: 2, replicas: 2, availableReplicas: 1 },
    'waiting: 1 of 2 replicas are available',
  ],
  [Deployment, {}, { ...seen, updatedReplicas: 1, replicas: 1, availableReplicas: 1 }, 'ready'],
  [Deployment, { replicas: 0 }, seen, 'ready'],
  [
    Deployment,
    {},
    {
      ...seen,
      ...condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded', message: 'late' }),
    },
    'failed: late',
  ],
  [StatefulSet, {}, undefined, NOT_SEEN],
  [StatefulSet, { replicas: 2 }, { ...seen, readyReplicas: 1 }, 'waiting: 1 of 2 replicas are ready'],
  [
    StatefulSet,
    { replicas: 1 },
    { ...seen, readyReplicas: 1, updateRevision: 'b', currentRevision: 'a' },
    'waiting: 0 of 1 replicas are updated',
  ],
  [
    StatefulSet,
    { replicas: 1, updateStrategy: { type: 'OnDelete' } },
    { ...seen, readyReplicas: 1, updateRevision: 'b', currentRevision: 'a' },
    'ready',
  ],
  [
    StatefulSet,
    { replicas: 1 },
    { ...seen, readyReplicas: 1, updateRevision: 'a', currentRevision: 'a' },
    'ready',
  ],
  [DaemonSet, {}, undefined, NOT_SEEN],
  [
    DaemonSet,
    {},
    { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 2 },
    'waiting: 2 of 3 pods are updated',
  ],
  [
    DaemonSet,
    {},
    { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 1 },
    'waiting: 1 of 3 pods are available',
  ],
  [
    DaemonSet,
    {},
    { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 },
    'ready',
  ],
  [ReplicaSet, { replicas: 1 }, seen, 'waiting: 0 of 1 replicas are available'],
  [ReplicaSet, { replicas: 1 }, { ...seen, availableReplicas: 1 }, 'ready'],
  [Job, { completions: 3 }, { succeeded: 1 }, 'waiting: 1 of 3 completions are done'],
  [Job, { suspend: true }, {}, 'waiting: it is suspended'],
  [Job, {}, condition('Complete', 'True'), 'ready'],
  [Job, {}, condition('Failed', 'True', { message: 'backoff' }), 'failed: backoff'],
  [Pod, {}, { phase: 'Pending' }, 'waiting: its phase is Pending'],
  [Pod, {}, { phase: 'Running', ...condition('Ready', 'True') }, 'ready'],
  [Pod, {}, { phase: 'Succeeded' }, 'ready'],
  [Pod, {}, { phase: 'Failed' }, 'failed: it failed'],
  [PersistentVolumeClaim, {}, { phase: 'Pending' }, 'waiting: it is not bound'],
  [PersistentVolumeClaim, {}, { phase: 'Bound' }, 'ready'],
  [PersistentVolumeClaim, {}, { phase: 'Lost' }, 'failed: its volume is lost'],
  [Service, {}, {}, 'ready'],
  [Service, { type: 'LoadBalancer' }, { loadBalancer: {} }, 'waiting: its load balancer has no address yet'],
  [Service, { type: 'LoadBalancer' }, { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } }, 'ready'],
  [Namespace, {}, { phase: 'Terminating' }, 'waiting: it is not active'],
  [ConfigMap, {}, undefined, 'ready'],
  [Website, {}, {}, 'ready'],
  [Website, {}, condition('Other', 'False'), 'ready'],
  [Website, {}, { observedGeneration: 1 }, NOT_SEEN],
  [Website, {}, condition('Ready', 'True', { observedGeneration: 1 }), NOT_SEEN],
  [Website, {}, condition('Ready', 'False', { message: 'not yet' }), 'waiting: not yet'],
  [Website, {}, condition('Ready', 'Unknown'), 'waiting: its condition Ready is Unknown'],
  [Website, {}, condition('Ready', 'True'), 'ready'],
];

for (const [type, spec, status, expected] of rows)
  test(`${type.kind} ${JSON.stringify(spec)} ${JSON.stringify(status)} is ${expected}`, () => {
    const { state, message } = readinessOf(type, object(spec, status));
    assert.equal(state === 'ready' ? state : `${state}: ${message}`, expected);
  });

test("the child's own test goes before that of its kind, and that before ours", () => {
  const ofKind = [readyWhen(ConfigMap, () => 'by kind')];
  assert.equal(readinessOf(ConfigMap, object({}), undefined, ofKind).message, 'by kind');
  assert.equal(readinessOf(ConfigMap, object({}), () => false, ofKind).message, 'it is not ready');
  assert.equal(readinessOf(Service, object({}), undefined, ofKind).state, 'ready');
  const gone = { state: 'failed', message: 'gone' } as const;
  assert.deepEqual(
    readinessOf(ConfigMap, object({}), () => gone),
    gone,
  );
});
