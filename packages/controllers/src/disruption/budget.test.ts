// What a disruption budget of Kubernetes 1.36 allows, row by row (pkg/controller/disruption: getExpectedPodCount,
// countHealthyPods, buildDisruptedPodMap, updatePdbStatus).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, formatTime, type IntOrString, type Served } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { PodDisruptionBudget, type PodDisruptionBudgetStatus } from '@windlass/apimachinery/api/policy/v1';
import { served } from '@windlass/apimachinery/testing';
import { FakeClock } from '@windlass/base';
import type { ReadonlyPod } from '../shared/pods.ts';
import { budgetStatus, expectationOf, failedStatus, needsScale } from './budget.ts';

const clock = new FakeClock();
const ago = (seconds: number): string => formatTime(clock.now() - seconds * 1000);

const NONE: PodDisruptionBudgetStatus = {
  currentHealthy: 0,
  desiredHealthy: 0,
  disruptionsAllowed: 0,
  expectedPods: 0,
};

function budget(
  spec: PodDisruptionBudget['spec'],
  disruptedPods?: Record<string, string>,
): Served<PodDisruptionBudget> {
  return served(PodDisruptionBudget, {
    metadata: { name: 'b', generation: 3 },
    ...(spec !== undefined && { spec }),
    status: { ...NONE, ...(disruptedPods !== undefined && { disruptedPods }) },
  });
}

function pod(name: string, { isReady = true, isDeleted = false } = {}): ReadonlyPod {
  return served(Pod, {
    metadata: { name, ...(isDeleted && { deletionTimestamp: ago(1) }) },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  });
}

describe('how many should be healthy', () => {
  type Row = [
    what: 'minAvailable' | 'maxUnavailable',
    value: IntOrString,
    pods: number,
    scale: number,
    expected: number,
    healthy: number,
  ];
  const rows: Row[] = [
    // A number of healthy pods counts against the pods that are there, whatever their owner wants.
    ['minAvailable', 2, 5, 9, 5, 2],
    // Shares are of what the owner wants, and round up: the budget rather protects one too many.
    ['minAvailable', '50%', 5, 9, 9, 5],
    ['minAvailable', '100%', 5, 9, 9, 9],
    ['maxUnavailable', 2, 5, 9, 9, 7],
    ['maxUnavailable', '50%', 5, 9, 9, 4],
    ['maxUnavailable', 20, 5, 9, 9, 0],
    ['maxUnavailable', 0, 5, 9, 9, 9],
  ];
  for (const [what, value, pods, scale, expected, desiredHealthy] of rows)
    it(`of ${pods} pods, when their owner wants ${scale}, with ${what} ${value}: ${desiredHealthy} of ${expected}`, () => {
      assert.deepEqual(expectationOf(served(PodDisruptionBudget, { spec: { [what]: value } }), pods, scale), {
        expected,
        desiredHealthy,
      });
    });

  it('none, when the budget says nothing', () => {
    assert.deepEqual(expectationOf(served(PodDisruptionBudget, {}), 4, 9), {
      expected: 4,
      desiredHealthy: 0,
    });
  });

  it('follows from the owners, unless it is a number of healthy pods', () => {
    const asks = (spec: PodDisruptionBudget['spec']): boolean =>
      needsScale(served(PodDisruptionBudget, { ...(spec !== undefined && { spec }) }));
    assert.deepEqual(
      [
        asks({ minAvailable: 2 }),
        asks({ minAvailable: '2%' }),
        asks({ maxUnavailable: 2 }),
        asks({ maxUnavailable: '2%' }),
        asks(undefined),
      ],
      [false, true, true, true, false],
    );
  });
});

describe('a budget', () => {
  const three = { expected: 3, desiredHealthy: 1 };
  type Row = [
    rule: string,
    pods: ReadonlyPod[],
    disrupted: Record<string, string>,
    wanted: [healthy: number, allowed: number],
  ];
  const rows: Row[] = [
    ['allows what is healthy beyond what must be', [pod('a'), pod('b'), pod('c')], {}, [3, 2]],
    [
      'does not count pods that are not ready',
      [pod('a'), pod('b'), pod('c', { isReady: false })],
      {},
      [2, 1],
    ],
    [
      'does not count pods that are being deleted',
      [pod('a'), pod('b'), pod('c', { isDeleted: true })],
      {},
      [2, 1],
    ],
    [
      'does not count a pod that was evicted and is still there',
      [pod('a'), pod('b'), pod('c')],
      { c: ago(10) },
      [2, 1],
    ],
    [
      'counts it again when it has not gone after two minutes',
      [pod('a'), pod('b'), pod('c')],
      { c: ago(121) },
      [3, 2],
    ],
    ['allows nothing when too few are healthy', [pod('a', { isReady: false })], {}, [0, 0]],
  ];
  for (const [rule, pods, disrupted, wanted] of rows)
    it(rule, () => {
      const { status } = budgetStatus(budget({}, disrupted), pods, three, clock);
      assert.deepEqual([status.currentHealthy, status.disruptionsAllowed], wanted);
      const condition = findCondition(status.conditions, 'DisruptionAllowed');
      const said = wanted[1] > 0 ? ['True', 'SufficientPods'] : ['False', 'InsufficientPods'];
      assert.deepEqual([condition?.status, condition?.reason, condition?.observedGeneration], [...said, 3]);
      assert.deepEqual([status.desiredHealthy, status.expectedPods, status.observedGeneration], [1, 3, 3]);
    });

  it('allows nothing when no pod is expected', () => {
    const { status } = budgetStatus(budget({}), [pod('a')], { expected: 0, desiredHealthy: 0 }, clock);
    assert.equal(status.disruptionsAllowed, 0);
  });

  it('remembers evicted pods until they go, are overdue, or are being deleted', () => {
    const before = { a: ago(20), b: ago(90), late: ago(300), going: ago(5), gone: ago(5) };
    const pods = [pod('a'), pod('b'), pod('late'), pod('going', { isDeleted: true })];
    const { status, overdue, checkInMs } = budgetStatus(budget({}, before), pods, three, clock);
    assert.deepEqual(status.disruptedPods, { a: before.a, b: before.b });
    assert.deepEqual(
      overdue.map(({ metadata }) => metadata.name),
      ['late'],
    );
    assert.equal(checkInMs, 30_000);
    const rest = budgetStatus(budget({}), pods, three, clock);
    assert.deepEqual([rest.status.disruptedPods, rest.checkInMs], [undefined, undefined]);
  });

  it('allows nothing when nobody can tell how many there should be', () => {
    const before = budget({});
    const status = failedStatus(
      { ...before, status: { ...NONE, currentHealthy: 4, disruptionsAllowed: 2 } },
      'no scale',
      clock,
    );
    const condition = findCondition(status.conditions, 'DisruptionAllowed');
    assert.deepEqual(
      [status.disruptionsAllowed, status.currentHealthy, status.observedGeneration],
      [0, 4, 3],
    );
    assert.deepEqual(
      [condition?.status, condition?.reason, condition?.message],
      ['False', 'SyncFailed', 'no scale'],
    );
  });
});
