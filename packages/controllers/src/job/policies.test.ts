// The policies of jobs of Kubernetes 1.36, row by row (pkg/controller/job: matchPodFailurePolicy, matchSuccessPolicy,
// indexed_job_utils).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { Job, type PodFailurePolicyRule, type SuccessPolicyRule } from '@windlass/apimachinery/api/batch/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { formatIndexes, parseIndexes } from './indexes.ts';
import { judgeFailure, successMessage } from './policies.ts';

function pod(codes: Record<string, number>, more: Partial<NonNullable<Pod['status']>> = {}): Served<Pod> {
  const containerStatuses = Object.entries(codes).map(([name, exitCode]) => ({
    name,
    image: 'i',
    imageID: '',
    ready: false,
    restartCount: 0,
    state: { terminated: { exitCode } },
  }));
  return served(Pod, {
    metadata: { name: 'p', namespace: 'n' },
    status: { phase: 'Failed', containerStatuses, ...more },
  });
}

const exits = (
  operator: 'In' | 'NotIn',
  values: number[],
  action = 'FailJob',
  containerName?: string,
): PodFailurePolicyRule => ({
  action,
  onExitCodes: { operator, values, ...(containerName !== undefined && { containerName }) },
});
const has = (type: string, status?: string): PodFailurePolicyRule => ({
  action: 'Ignore',
  onPodConditions: [{ type, ...(status !== undefined && { status }) }] as NonNullable<
    PodFailurePolicyRule['onPodConditions']
  >,
});
const disrupted = pod({ main: 1 }, { conditions: [{ type: 'DisruptionTarget', status: 'True' }] });

describe('a pod that failed', () => {
  const rows: [
    rule: string,
    rules: PodFailurePolicyRule[],
    pod: Served<Pod>,
    action: string,
    message?: string,
  ][] = [
    ['counts without a rule', [], pod({ main: 1 }), 'Count'],
    [
      'matches by its exit code',
      [exits('In', [3, 42])],
      pod({ main: 42 }),
      'FailJob',
      'Container main for pod n/p failed with exit code 42 matching FailJob rule at index 0',
    ],
    ['does not match by another exit code', [exits('In', [3])], pod({ main: 42 }), 'Count'],
    [
      'matches by what its exit code is not',
      [exits('NotIn', [3], 'FailIndex')],
      pod({ main: 42 }),
      'FailIndex',
      'Container main for pod n/p failed with exit code 42 matching FailIndex rule at index 0',
    ],
    ['does not match by a container that succeeded', [exits('NotIn', [3])], pod({ main: 0 }), 'Count'],
    [
      'matches by any container',
      [exits('In', [7])],
      pod({ main: 0, side: 7 }),
      'FailJob',
      'Container side for pod n/p failed with exit code 7 matching FailJob rule at index 0',
    ],
    [
      'matches by the named container only',
      [exits('In', [7], 'FailJob', 'main')],
      pod({ main: 1, side: 7 }),
      'Count',
    ],
    [
      'matches by a condition',
      [has('DisruptionTarget')],
      disrupted,
      'Ignore',
      'Pod n/p has condition DisruptionTarget matching Ignore rule at index 0',
    ],
    [
      'does not match by the other state of a condition',
      [has('DisruptionTarget', 'False')],
      disrupted,
      'Count',
    ],
    ['does not match by another condition', [has('ConfigIssue')], disrupted, 'Count'],
    [
      'is judged by the first rule that it matches',
      [exits('In', [9]), has('DisruptionTarget'), exits('In', [1])],
      disrupted,
      'Ignore',
      'Pod n/p has condition DisruptionTarget matching Ignore rule at index 1',
    ],
    [
      'is not judged before it has ended',
      [exits('In', [1])],
      pod({ main: 1 }, { phase: 'Running' }),
      'Count',
    ],
  ];
  for (const [rule, rules, each, action, message = ''] of rows)
    it(rule, () => {
      const spec = { template: {}, podFailurePolicy: { rules } };
      assert.deepEqual(judgeFailure(served(Job, { spec }), each), { action, message });
    });

  it('matches by an init container too', () => {
    const [status] = pod({ init: 5 }).status?.containerStatuses ?? [];
    assert.ok(status !== undefined);
    const each = pod({ main: 0 }, { initContainerStatuses: [status] });
    const spec = { template: {}, podFailurePolicy: { rules: [exits('In', [5])] } };
    assert.equal(judgeFailure(served(Job, { spec }), each).action, 'FailJob');
  });
});

describe('a success policy of a job with 10 indexes', () => {
  const rows: [rule: string, rules: SuccessPolicyRule[], succeeded: number[], message?: string][] = [
    [
      'is met when all indexes of a rule succeeded',
      [{ succeededIndexes: '1-2' }],
      [0, 1, 2],
      'Matched rules at index 0',
    ],
    ['is not met while one is missing', [{ succeededIndexes: '1-2' }], [0, 1, 3]],
    ['is met by a number of any indexes', [{ succeededCount: 2 }], [4, 9], 'Matched rules at index 0'],
    ['is not met by too few', [{ succeededCount: 2 }], [4]],
    [
      'is met by a number among some',
      [{ succeededIndexes: '0-5', succeededCount: 2 }],
      [1, 5],
      'Matched rules at index 0',
    ],
    ['is not met by others', [{ succeededIndexes: '0-5', succeededCount: 2 }], [1, 6, 7]],
    [
      'is met by any of its rules',
      [{ succeededIndexes: '0' }, { succeededCount: 1 }],
      [4],
      'Matched rules at index 1',
    ],
  ];
  for (const [rule, rules, succeeded, message] of rows)
    it(rule, () => {
      assert.equal(successMessage(rules, new Set(succeeded), 10), message);
    });
});

describe('indexes', () => {
  const rows: [text: string, indexes: number[]][] = [
    ['', []],
    ['0', [0]],
    ['0,1', [0, 1]],
    ['0-2', [0, 1, 2]],
    ['0,2-4,8,9', [0, 2, 3, 4, 8, 9]],
  ];
  for (const [text, indexes] of rows)
    it(`"${text}" are ${JSON.stringify(indexes)}, and back`, () => {
      assert.deepEqual([...parseIndexes(text, 10)], indexes);
      assert.equal(formatIndexes(indexes), text);
    });

  it('are written once and in order', () => {
    assert.equal(formatIndexes([3, 1, 2, 3, 7]), '1-3,7');
  });

  it('that the job does not have, or that are no numbers, are left out', () => {
    assert.deepEqual([...parseIndexes('2-9,x,12,-1,3-', 4)], [2, 3]);
    assert.deepEqual([...parseIndexes(undefined, 4)], []);
  });
});
