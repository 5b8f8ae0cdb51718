// What a deployment of Kubernetes 1.36 says of itself, row by row (pkg/controller/deployment: calculateStatus,
// syncRolloutStatus, DeploymentComplete, DeploymentProgressing, DeploymentTimedOut, requeueStuckDeployment).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, formatTime } from '@windlass/apimachinery';
import {
  Deployment,
  type DeploymentCondition,
  type DeploymentStatus,
  ReplicaSet,
} from '@windlass/apimachinery/api/apps/v1';
import { served } from '@windlass/apimachinery/testing';
import type { ReadonlyDeployment, ReadonlyReplicaSet } from './arithmetic.ts';
import { checkDeadlineInMs, deploymentStatus, isComplete, rolloutStatus } from './status.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const ago = (seconds: number): string => formatTime(NOW - seconds * 1000);

function deployment(
  status: DeploymentStatus = {},
  {
    replicas = 3,
    deadline = 60,
    unavailable = 1,
  }: { replicas?: number; deadline?: number | null; unavailable?: number } = {},
): ReadonlyDeployment {
  return served(Deployment, {
    metadata: { name: 'web', generation: 4 },
    spec: {
      replicas,
      selector: {},
      template: {},
      ...(deadline !== null && { progressDeadlineSeconds: deadline }),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: unavailable } },
    },
    status,
  });
}

interface Counts {
  readonly size?: number;
  readonly has?: number;
  readonly ready?: number;
  readonly available?: number;
  readonly terminating?: number;
  readonly failure?: string;
}

function set(name: string, counts: Counts = {}): ReadonlyReplicaSet {
  const { size = 3, has = size, ready = has, available = ready, terminating, failure } = counts;
  const conditions = [
    { type: 'ReplicaFailure', status: 'True', reason: failure ?? '', lastTransitionTime: ago(5) },
  ];
  return served(ReplicaSet, {
    metadata: { name },
    spec: { replicas: size, selector: {} },
    status: {
      replicas: has,
      readyReplicas: ready,
      availableReplicas: available,
      ...(terminating !== undefined && { terminatingReplicas: terminating }),
      ...(failure !== undefined && { conditions }),
    },
  });
}

const progressing = (reason: string, updatedAgo = 30, status = 'True'): DeploymentCondition => ({
  type: 'Progressing',
  status,
  reason,
  message: 'before',
  lastUpdateTime: ago(updatedAgo),
  lastTransitionTime: ago(500),
});

describe('the counts', () => {
  const current = set('new', { size: 2, has: 2, ready: 2, available: 1 });
  const old = set('old', { size: 3, has: 4, ready: 3, available: 2 });

  it('are sums over all sets, and those of the new set', () => {
    const { conditions: _, ...counts } = deploymentStatus({
      deployment: deployment(),
      all: [old, current],
      current,
      now: NOW,
    });
    assert.deepEqual(counts, {
      observedGeneration: 4,
      replicas: 6,
      updatedReplicas: 2,
      readyReplicas: 5,
      availableReplicas: 3,
      unavailableReplicas: 2,
    });
  });

  it('of what is missing are never below nothing', () => {
    const shrinking = set('new', { size: 1, has: 3, available: 3 });
    const status = deploymentStatus({
      deployment: deployment(),
      all: [shrinking],
      current: shrinking,
      now: NOW,
    });
    assert.equal(status.unavailableReplicas, 0);
  });

  it('of what terminates are there only when every set counts it', () => {
    const all = [set('a', { terminating: 1 }), set('b', { terminating: 2 })];
    const of = (sets: ReadonlyReplicaSet[]) =>
      deploymentStatus({ deployment: deployment(), all: sets, current: undefined, now: NOW })
        .terminatingReplicas;
    assert.equal(of(all), 3);
    assert.equal(of([...all, set('c')]), undefined);
  });

  it('of collisions stay', () => {
    const status = deploymentStatus({
      deployment: deployment({ collisionCount: 2 }),
      all: [],
      current: undefined,
      now: NOW,
    });
    assert.equal(status.collisionCount, 2);
  });
});

describe('a deployment is available', () => {
  for (const [available, wanted] of [
    [3, 'True MinimumReplicasAvailable'],
    [2, 'True MinimumReplicasAvailable'],
    [1, 'False MinimumReplicasUnavailable'],
  ] as const)
    it(`with ${available} of 3 when 1 may be missing: ${wanted}`, () => {
      const current = set('new', { available });
      const { conditions } = deploymentStatus({
        deployment: deployment(),
        all: [current],
        current,
        now: NOW,
      });
      const found = findCondition(conditions, 'Available');
      assert.equal(`${found?.status} ${found?.reason}`, wanted);
      assert.equal(found?.lastTransitionTime, ago(0));
    });
});

describe('a rollout', () => {
  const before = (
    status: DeploymentStatus,
    reason = 'ReplicaSetUpdated',
    updatedAgo = 30,
  ): DeploymentStatus => ({
    ...status,
    conditions: [progressing(reason, updatedAgo)],
  });
  const still = { replicas: 4, updatedReplicas: 1, readyReplicas: 3, availableReplicas: 3 };
  const old = set('old', { size: 3, available: 3 });
  const one = set('new', { size: 1, ready: 0 });
  const rows: [
    rule: string,
    status: DeploymentStatus,
    all: ReadonlyReplicaSet[],
    said: string,
    updated: number,
  ][] = [
    [
      'is done when all are new, all are available and no other is left',
      before(still),
      [set('new')],
      'True NewReplicaSetAvailable',
      0,
    ],
    [
      'is not done while an old pod is left',
      before({ replicas: 4, updatedReplicas: 3, readyReplicas: 4, availableReplicas: 4 }),
      [set('old', { size: 0, has: 1 }), set('new')],
      'True ReplicaSetUpdated',
      30,
    ],
    [
      'moves when the new set has more pods',
      before({ ...still, updatedReplicas: 0, replicas: 3 }),
      [old, one],
      'True ReplicaSetUpdated',
      0,
    ],
    [
      'moves when fewer old pods are left',
      before({ ...still, replicas: 5 }),
      [old, one],
      'True ReplicaSetUpdated',
      0,
    ],
    // A pod that becomes ready is progress, even before it has been ready for long enough to count as available.
    [
      'moves when more pods are ready',
      before({ ...still, readyReplicas: 2 }),
      [old, one],
      'True ReplicaSetUpdated',
      0,
    ],
    [
      'moves when more pods are available',
      before({ ...still, availableReplicas: 2 }),
      [old, one],
      'True ReplicaSetUpdated',
      0,
    ],
    [
      'stands still when nothing is better than before',
      before(still),
      [old, one],
      'True ReplicaSetUpdated',
      30,
    ],
    [
      'stands still when less is ready',
      before({ ...still, readyReplicas: 9, availableReplicas: 9 }),
      [old, one],
      'True ReplicaSetUpdated',
      30,
    ],
    [
      'has time to the end of its deadline',
      before(still, 'ReplicaSetUpdated', 60),
      [old, one],
      'True ReplicaSetUpdated',
      60,
    ],
    [
      'has stood still for too long',
      before(still, 'ReplicaSetUpdated', 61),
      [old, one],
      'False ProgressDeadlineExceeded',
      0,
    ],
    [
      'that timed out goes on when it moves',
      before({ ...still, readyReplicas: 2 }, 'ProgressDeadlineExceeded', 900),
      [old, one],
      'True ReplicaSetUpdated',
      0,
    ],
    [
      'that was done long ago is not late',
      before({ ...still }, 'NewReplicaSetAvailable', 900),
      [old, one],
      'True NewReplicaSetAvailable',
      900,
    ],
    [
      'that was done is not looked at while all pods are new',
      before({ ...still, readyReplicas: 0 }, 'NewReplicaSetAvailable', 900),
      [set('new', { available: 2 })],
      'True NewReplicaSetAvailable',
      900,
    ],
  ];
  for (const [rule, status, all, said, updatedAgo] of rows)
    it(rule, () => {
      const current = all.at(-1);
      const { conditions } = rolloutStatus({ deployment: deployment(status), all, current, now: NOW });
      const found = findCondition(conditions, 'Progressing');
      assert.deepEqual([`${found?.status} ${found?.reason}`, found?.lastUpdateTime], [said, ago(updatedAgo)]);
    });

  it('keeps the time of its last change of status while it moves', () => {
    const { conditions } = rolloutStatus({
      deployment: deployment(before({ ...still, readyReplicas: 2 })),
      all: [old, one],
      current: one,
      now: NOW,
    });
    assert.equal(findCondition(conditions, 'Progressing')?.lastTransitionTime, ago(500));
  });

  it('without a deadline says nothing of its progress', () => {
    for (const deadline of [null, 2 ** 31 - 1]) {
      const { conditions } = rolloutStatus({
        deployment: deployment(before(still), { deadline }),
        all: [one],
        current: one,
        now: NOW,
      });
      assert.equal(findCondition(conditions, 'Progressing'), undefined);
    }
  });

  it('names the new set, or the deployment while there is none', () => {
    const said = (current: ReadonlyReplicaSet | undefined): string | undefined => {
      const { conditions } = rolloutStatus({
        deployment: deployment(before({ ...still, readyReplicas: 0 })),
        all: [old],
        current,
        now: NOW,
      });
      return findCondition(conditions, 'Progressing')?.message;
    };
    assert.equal(said(one), 'ReplicaSet "new" is progressing.');
    assert.equal(said(undefined), 'Deployment "web" is progressing.');
  });

  it('says what a set could not do, the new one first, and no longer than it lasts', () => {
    const failing = (name: string): ReadonlyReplicaSet => set(name, { failure: `${name}-failed` });
    const said = (all: ReadonlyReplicaSet[], current?: ReadonlyReplicaSet) => {
      const status = { conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'before' }] };
      const { conditions } = rolloutStatus({ deployment: deployment(status), all, current, now: NOW });
      const found = findCondition(conditions, 'ReplicaFailure');
      return found === undefined ? undefined : [found.reason, found.lastUpdateTime];
    };
    assert.deepEqual(said([failing('old')], failing('new')), ['new-failed', ago(5)]);
    assert.deepEqual(said([set('a'), failing('old')], set('new')), ['old-failed', ago(5)]);
    assert.equal(said([set('a')], set('new')), undefined);
  });
});

describe('a rollout is complete', () => {
  const all = { replicas: 3, updatedReplicas: 3, availableReplicas: 3, observedGeneration: 4 };
  for (const [what, status, wanted] of [
    ['when all are new, available and alone', all, true],
    ['not while one is not new', { ...all, updatedReplicas: 2 }, false],
    ['not while an old one is left', { ...all, replicas: 4 }, false],
    ['not while one is not available', { ...all, availableReplicas: 2 }, false],
    ['not for an older specification', { ...all, observedGeneration: 3 }, false],
    ['not before anything is known', undefined, false],
  ] as const)
    it(what, () => {
      assert.equal(isComplete(deployment(), status), wanted);
    });
});

describe('the deadline is looked at again', () => {
  const open = { replicas: 1 };
  const rows: [rule: string, deployment: ReadonlyDeployment, wanted: number | undefined][] = [
    ['a second after it passed', deployment({ conditions: [progressing('ReplicaSetUpdated', 30)] }), 31_000],
    ['soon when it has passed', deployment({ conditions: [progressing('ReplicaSetUpdated', 90)] }), 1000],
    [
      'never when it was exceeded',
      deployment({ conditions: [progressing('ProgressDeadlineExceeded')] }),
      undefined,
    ],
    ['never when nothing was said yet', deployment(), undefined],
    [
      'never without one',
      deployment({ conditions: [progressing('ReplicaSetUpdated')] }, { deadline: null }),
      undefined,
    ],
  ];
  for (const [rule, each, wanted] of rows)
    it(rule, () => {
      assert.equal(checkDeadlineInMs(each, open, NOW), wanted);
    });

  it('never when the rollout is complete', () => {
    const done = { replicas: 3, updatedReplicas: 3, availableReplicas: 3, observedGeneration: 4 };
    assert.equal(
      checkDeadlineInMs(deployment({ conditions: [progressing('ReplicaSetUpdated')] }), done, NOW),
      undefined,
    );
  });
});
