// What a replica set of Kubernetes 1.36 says of itself, row by row (pkg/controller/replicaset: calculateStatus).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import type { ReadonlyPod } from '../shared/pods.ts';
import type { Replicated } from './replicated.ts';
import { isSameStatus, replicatedStatus, type StatusInput } from './status.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const FAILED = { type: 'ReplicaFailure', status: 'True', reason: 'before' };

const set = (minReadySeconds = 0, conditions: Replicated['status'] = { replicas: 0 }): Replicated => ({
  metadata: { name: 's', generation: 5 },
  spec: { replicas: 3, minReadySeconds, selector: { matchLabels: { app: 'a' } } },
  status: conditions,
});

const pod = (
  readyFor: number | undefined,
  labels: Record<string, string> = { app: 'a', tier: 'b' },
): ReadonlyPod =>
  served(Pod, {
    metadata: { labels },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: readyFor === undefined ? 'False' : 'True',
          lastTransitionTime: formatTime(NOW - (readyFor ?? 0) * 1000),
        },
      ],
    },
  });

const statusOf = (more: Partial<StatusInput>) =>
  replicatedStatus({
    set: set(),
    template: { metadata: { labels: { app: 'a', tier: 'b' } } },
    active: [],
    terminating: undefined,
    error: undefined,
    now: NOW,
    ...more,
  });

describe('a set counts', () => {
  it('its pods, by what they are', () => {
    const active = [pod(9), pod(3), pod(undefined), pod(9, { app: 'a' })];
    const { status, nextAvailableInMs } = statusOf({ set: set(5), active, terminating: 2 });
    assert.deepEqual(status, {
      replicas: 4,
      fullyLabeledReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 2,
      terminatingReplicas: 2,
      observedGeneration: 5,
    });
    assert.equal(nextAvailableInMs, 2000);
  });

  it('the pod that becomes available first', () => {
    assert.equal(statusOf({ set: set(9), active: [pod(2), pod(7), pod(4)] }).nextAvailableInMs, 2000);
    assert.equal(statusOf({ active: [pod(0)] }).nextAvailableInMs, Number.POSITIVE_INFINITY);
  });

  it('what terminates only where the kind counts it', () => {
    assert.equal('terminatingReplicas' in statusOf({}).status, false);
  });
});

describe('a set that could not', () => {
  const error = new Error('quota exceeded');
  const conditionOf = (more: Partial<StatusInput>) => statusOf(more).status.conditions;

  it('create pods says so', () => {
    assert.deepEqual(conditionOf({ error, active: [pod(1), pod(1)] }), [
      {
        type: 'ReplicaFailure',
        status: 'True',
        lastTransitionTime: formatTime(NOW),
        reason: 'FailedCreate',
        message: 'quota exceeded',
      },
    ]);
  });

  it('delete pods says so', () => {
    const four = [1, 2, 3, 4].map(() => pod(1));
    assert.equal(conditionOf({ error, active: four })?.[0]?.reason, 'FailedDelete');
  });

  it('says it as it came, until it can', () => {
    const failed = set(0, { replicas: 0, conditions: [FAILED, { type: 'Other', status: 'True' }] });
    assert.deepEqual(
      conditionOf({ set: failed, error })?.map(({ reason }) => reason),
      ['before', undefined],
    );
    assert.deepEqual(
      conditionOf({ set: failed })?.map(({ type }) => type),
      ['Other'],
    );
    assert.equal(conditionOf({ set: set(0, { replicas: 0, conditions: [FAILED] }) }), undefined);
  });
});

describe('a status is the same', () => {
  const status = {
    replicas: 2,
    fullyLabeledReplicas: 2,
    readyReplicas: 1,
    availableReplicas: 1,
    terminatingReplicas: 1,
    observedGeneration: 5,
  };
  for (const field of Object.keys(status))
    it(`not when ${field} is another`, () => {
      assert.equal(isSameStatus(status, { ...status, [field]: 7 }), false);
    });
  it('when all counts and conditions are', () => {
    assert.equal(
      isSameStatus({ ...status, conditions: [FAILED] }, { ...status, conditions: [FAILED] }),
      true,
    );
    assert.equal(isSameStatus({ ...status, conditions: [FAILED] }, status), false);
  });
  it('when a count that is 0 is absent', () => {
    assert.equal(isSameStatus({ replicas: 0 }, { replicas: 0, readyReplicas: 0, conditions: [] }), true);
    assert.equal(isSameStatus(undefined, { replicas: 0 }), true);
  });
});
