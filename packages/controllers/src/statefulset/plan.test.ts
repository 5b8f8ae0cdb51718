// The next step of a stateful set of Kubernetes 1.36, row by row (pkg/controller/statefulset: processReplica,
// processCondemned, newVersionedStatefulSetPod, updateStatefulSet).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import {
  StatefulSet,
  type StatefulSetSpec,
  type StatefulSetStatus,
} from '@windlass/apimachinery/api/apps/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { planSet, type Step } from './plan.ts';
import { ago, NOW, pod, set } from './plan-testing.ts';

const pods = (...ordinals: number[]): Served<Pod>[] => ordinals.map((ordinal) => pod(ordinal));
const steps = (each: Served<StatefulSet>, all: readonly Served<Pod>[], update = 'old'): string[] =>
  planSet({ set: each, pods: all, current: 'old', update, now: NOW }).map(textOf);

function textOf(step: Step): string {
  switch (step.type) {
    case 'create':
      return `create ${step.ordinal} ${step.revision}`;
    case 'delete':
      return `delete ${step.pod.metadata.name}`;
    case 'claims':
      return `claims ${step.ordinal}`;
    case 'identify':
      return `identify ${step.pod.metadata.name} as ${step.ordinal}`;
    default:
      return step satisfies never;
  }
}

type Row = [rule: string, set: Served<StatefulSet>, pods: Served<Pod>[], steps: string[], update?: string];

function table(rows: Row[]): void {
  for (const [rule, each, all, wanted, update] of rows)
    it(rule, () => {
      assert.deepEqual(steps(each, all, update), wanted);
    });
}

const PARALLEL = { podManagementPolicy: 'Parallel' };

describe('pods that are missing', () => {
  table([
    ['come one after the other, the lowest first', set(), [], ['create 0 old']],
    ['come when their predecessor is ready', set(), pods(0), ['create 1 old']],
    ['wait for one that is not ready', set(), [pod(0, { isReady: false })], []],
    ['wait for one that is ready, but not long enough', set({ minReadySeconds: 100 }), pods(0), []],
    ['come when it was ready for long enough', set({ minReadySeconds: 99 }), pods(0), ['create 1 old']],
    ['wait for one that terminates', set(), [pod(0, { isDeleted: true })], []],
    ['come in a gap before anything else', set(), pods(0, 2), ['create 1 old']],
    ['begin with the first ordinal of the set', set({ ordinals: { start: 5 } }), pods(5), ['create 6 old']],
    [
      'come all at once in a parallel set',
      set(PARALLEL),
      [pod(1, { isReady: false })],
      ['create 0 old', 'create 2 old'],
    ],
    ['one when the set does not say how many', set({ replicas: undefined as never }), pods(0), []],
    [
      'never come for a set that is deleted',
      served(StatefulSet, { ...set(), metadata: { name: 'db', deletionTimestamp: ago(1) } }),
      [],
      [],
    ],
  ]);
});

describe('a pod that is there', () => {
  table([
    ['is replaced when it failed', set(), [pod(0, { phase: 'Failed' })], ['delete db-0']],
    [
      'is replaced when it succeeded, because nobody told it to end',
      set(),
      [pod(0, { phase: 'Succeeded' })],
      ['delete db-0'],
    ],
    ['is not deleted twice', set(), [pod(0, { phase: 'Failed', isDeleted: true })], []],
    [
      'does not hold up the others of a parallel set',
      set(PARALLEL),
      [pod(0, { phase: 'Failed' }), pod(1)],
      ['delete db-0', 'create 2 old'],
    ],
    [
      'gets its claims while it is pending',
      set({ replicas: 1 }),
      [pod(0, { phase: 'Pending' })],
      ['claims 0'],
    ],
    [
      'gets back the labels of its place',
      set({ replicas: 1 }),
      [pod(0, { labels: { 'apps.kubernetes.io/pod-index': '7' } })],
      ['identify db-0 as 0'],
    ],
    [
      'of another set does not count',
      set({ replicas: 1 }),
      [served(Pod, { metadata: { name: 'web-0' } })],
      ['create 0 old'],
    ],
  ]);
});

describe('pods that are too many', () => {
  table([
    ['go one after the other, the highest first', set({ replicas: 1 }), pods(0, 1, 2), ['delete db-2']],
    [
      'below the first ordinal go too',
      set({ replicas: 1, ordinals: { start: 2 } }),
      pods(1, 2, 3),
      ['delete db-3'],
    ],
    ['wait for one that terminates', set({ replicas: 1 }), [...pods(0, 1), pod(2, { isDeleted: true })], []],
    ['wait for those that stay', set({ replicas: 1 }), [pod(0, { isReady: false }), ...pods(1)], []],
    [
      'wait for a lower one that is not ready',
      set({ replicas: 1 }),
      [pod(0), pod(1, { isReady: false }), pod(2, { isReady: false })],
      [],
    ],
    [
      'go although they are not ready, if no lower one is in trouble',
      set({ replicas: 1 }),
      [pod(0), pod(1), pod(2, { isReady: false })],
      ['delete db-2'],
    ],
    [
      'go although they are not ready for long enough, if no lower one is in trouble',
      set({ replicas: 1, minReadySeconds: 50 }),
      [pod(0), pod(1), pod(2, { readyFor: 9 })],
      ['delete db-2'],
    ],
    [
      'go all at once in a parallel set',
      set({ ...PARALLEL, replicas: 1 }),
      [pod(0), pod(1, { isReady: false }), pod(2, { isDeleted: true }), pod(3)],
      ['delete db-3', 'delete db-1'],
    ],
    ['go before pods are updated', set({ replicas: 1 }), pods(0, 1), ['delete db-1'], 'new'],
  ]);
});

describe('an update', () => {
  const rolling = (rollingUpdate: object, more: Partial<StatefulSetSpec> = {}): Served<StatefulSet> =>
    set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate }, ...more });
  const done = pod(2, { revision: 'new' });
  table([
    ['takes the highest pod that is old', set(), pods(0, 1, 2), ['delete db-2'], 'new'],
    ['takes the next one when that is ready', set(), [...pods(0, 1), done], ['delete db-1'], 'new'],
    // A pod that the update broke must not be followed by another one: this is what stops a bad template.
    [
      'of a parallel set waits for the new pod to be ready',
      set(PARALLEL),
      [...pods(0, 1), pod(2, { revision: 'new', isReady: false })],
      [],
      'new',
    ],
    [
      'of a parallel set waits until it was ready for long enough',
      set({ ...PARALLEL, minReadySeconds: 50 }),
      [...pods(0, 1), pod(2, { revision: 'new', readyFor: 9 })],
      [],
      'new',
    ],
    [
      'of a parallel set waits for the old pod to go',
      set(PARALLEL),
      [...pods(0, 1), pod(2, { isDeleted: true })],
      [],
      'new',
    ],
    [
      'replaces an old pod that is not ready',
      set(PARALLEL),
      [...pods(0, 1), pod(2, { isReady: false })],
      ['delete db-2'],
      'new',
    ],
    ['stops at the partition', rolling({ partition: 2 }), [...pods(0, 1), done], [], 'new'],
    ['takes those from the partition on', rolling({ partition: 2 }), pods(0, 1, 2), ['delete db-2'], 'new'],
    [
      'takes as many at a time as may be missing',
      rolling({ maxUnavailable: 2 }),
      pods(0, 1, 2),
      ['delete db-2', 'delete db-1'],
      'new',
    ],
    [
      'counts those that are missing already',
      rolling({ maxUnavailable: 2 }, PARALLEL),
      [pod(0, { isReady: false }), ...pods(1, 2)],
      ['delete db-2'],
      'new',
    ],
    [
      'takes one at least, however small the share',
      rolling({ maxUnavailable: '10%' }),
      pods(0, 1, 2),
      ['delete db-2'],
      'new',
    ],
    [
      'waits for somebody to delete the pods',
      set({ updateStrategy: { type: 'OnDelete' } }),
      pods(0, 1, 2),
      [],
      'new',
    ],
  ]);
});

describe('the revision of a new pod', () => {
  const rolling = (rollingUpdate?: object, status: Partial<StatefulSetStatus> = {}): Served<StatefulSet> =>
    set(
      { ...PARALLEL, updateStrategy: { type: 'RollingUpdate', ...(rollingUpdate && { rollingUpdate }) } },
      status,
    );
  table([
    [
      'is the old one below the partition',
      rolling({ partition: 2 }),
      [],
      ['create 0 old', 'create 1 old', 'create 2 new'],
      'new',
    ],
    [
      'is the new one without a partition',
      rolling({}),
      [],
      ['create 0 new', 'create 1 new', 'create 2 new'],
      'new',
    ],
    [
      'is the old one for as many as are old, when no partition is given at all',
      rolling(undefined, { currentReplicas: 1 }),
      [],
      ['create 0 old', 'create 1 new', 'create 2 new'],
      'new',
    ],
    [
      'is the new one with OnDelete',
      set({ updateStrategy: { type: 'OnDelete' } }),
      [],
      ['create 0 new'],
      'new',
    ],
  ]);
});
