// The status of a stateful set of Kubernetes 1.36, row by row (pkg/controller/statefulset: updateStatus,
// completeRollingUpdate).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { ControllerRevision, type StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { NOW, pod, set } from './plan-testing.ts';
import { statefulSetStatus } from './status.ts';

describe('the status', () => {
  const revision = (name: string) => served(ControllerRevision, { metadata: { name }, revision: 1 });
  const revisions = { current: revision('old'), update: revision('new'), collisionCount: 0 };
  const statusOf = (each: Served<StatefulSet>, all: Served<Pod>[]) => {
    const { status, nextAvailableInMs } = statefulSetStatus(each, all, revisions, NOW);
    const { replicas, readyReplicas, availableReplicas, currentReplicas, updatedReplicas, currentRevision } =
      status;
    return {
      counts: [replicas, readyReplicas, availableReplicas, currentReplicas, updatedReplicas],
      currentRevision,
      nextAvailableInMs,
    };
  };
  const [fresh, never] = [{ revision: 'new' }, Number.POSITIVE_INFINITY];
  const rows: [
    rule: string,
    set: Served<StatefulSet>,
    pods: Served<Pod>[],
    counts: number[],
    revision: string,
    nextMs: number,
  ][] = [
    [
      'counts pods by what they are',
      set(),
      [pod(0), pod(1, { isReady: false }), pod(2, fresh)],
      [3, 2, 2, 2, 1],
      'old',
      never,
    ],
    [
      'counts those that terminate, but not as old or new',
      set(),
      [pod(0), pod(1), pod(2, { isDeleted: true })],
      [3, 3, 3, 2, 0],
      'old',
      never,
    ],
    [
      'says when the next pod becomes available',
      set({ minReadySeconds: 100 }),
      [pod(0), pod(1, { readyFor: 500 })],
      [2, 2, 1, 2, 0],
      'old',
      1000,
    ],
    [
      'ends an update when all pods are new and ready',
      set(),
      [0, 1, 2].map((n) => pod(n, fresh)),
      [3, 3, 3, 3, 3],
      'new',
      never,
    ],
    [
      'does not end it while one is not ready',
      set(),
      [pod(0, fresh), pod(1, fresh), pod(2, { ...fresh, isReady: false })],
      [3, 2, 2, 0, 3],
      'old',
      never,
    ],
    [
      'does not end it while pods are missing',
      set(),
      [pod(0, fresh), pod(1, fresh)],
      [2, 2, 2, 0, 2],
      'old',
      never,
    ],
    ['does not end it while no pod is there', set({ replicas: 1 }), [], [0, 0, 0, 0, 0], 'old', never],
    [
      'never ends it with OnDelete',
      set({ replicas: 1, updateStrategy: { type: 'OnDelete' } }),
      [pod(0, fresh)],
      [1, 1, 1, 0, 1],
      'old',
      never,
    ],
  ];
  for (const [rule, each, all, counts, currentRevision, nextAvailableInMs] of rows)
    it(rule, () => {
      assert.deepEqual(statusOf(each, all), { counts, currentRevision, nextAvailableInMs });
    });
});
