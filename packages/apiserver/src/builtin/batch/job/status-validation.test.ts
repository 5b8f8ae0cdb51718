import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorMessage } from '@windlass/apimachinery';
import type { JobSpec, JobStatus } from '@windlass/apimachinery/api/batch/v1';
import { Findings } from '../../shared/findings.ts';
import { validateJobStatus } from './status-validation.ts';

const START = '2030-01-01T00:00:00Z';
const LATER = '2030-01-01T00:00:01Z';
const indexed: JobSpec = { template: {}, completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 };
const condition = (type: string, status = 'True'): { type: string; status: string } => ({ type, status });

type Row = readonly [
  rule: string,
  spec: Partial<JobSpec>,
  before: JobStatus,
  status: JobStatus,
  refusals: string[],
];

describe('a report of a job', () => {
  const rows: readonly Row[] = [
    [
      'without ready pods is not compared with the active ones',
      {},
      {},
      { active: -1 },
      ['status.active: Invalid value: -1: must be greater than or equal to 0'],
    ],
    ['leaves wrong numbers that were there before', {}, { ready: 2 }, { ready: 2, failed: 1 }, []],
    [
      'leaves indexes that a smaller job no longer has',
      indexed,
      { completedIndexes: '0-5', failedIndexes: '7' },
      { completedIndexes: '0-5', failedIndexes: '7', active: 1 },
      [],
    ],
    [
      'names only indexes that the job has',
      indexed,
      {},
      { completedIndexes: '5' },
      ['status.completedIndexes: Invalid value: "5": error parsing completedIndexes: too large index: "5"'],
    ],
    [
      'names no index twice',
      { ...indexed, completions: 9 },
      {},
      { completedIndexes: '0,2-4', failedIndexes: '3,8' },
      ['status.failedIndexes: Invalid value: "3,8": failedIndexes and completedIndexes overlap at index: 3'],
    ],
    [
      'may count less where the job was scaled down',
      { ...indexed, parallelism: 2 },
      { succeeded: 3 },
      { succeeded: 2 },
      [],
    ],
    [
      'may begin anew when the job is resumed',
      {},
      { startTime: START, conditions: [condition('Suspended')] },
      { startTime: LATER, conditions: [condition('Suspended', 'False')] },
      [],
    ],
    [
      'needs no beginning of a job that was suspended and had nothing to do',
      { suspend: true, completions: 0 },
      {},
      { completionTime: LATER, conditions: [condition('Complete'), condition('SuccessCriteriaMet')] },
      [],
    ],
    [
      'says that the criteria are met before it says that the job is complete',
      {},
      { startTime: START, completionTime: LATER, conditions: [condition('Complete')] },
      {
        startTime: START,
        completionTime: LATER,
        conditions: [condition('Complete'), condition('SuccessCriteriaMet')],
      },
      [
        'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
      ],
    ],
  ];
  for (const [rule, spec, before, status, refusals] of rows)
    it(rule, () => {
      const findings = new Findings();
      const whole = { template: {}, ...spec };
      validateJobStatus({ spec: whole, status }, { spec: whole, status: before }, findings);
      assert.deepEqual(
        findings.errors.map((error) => fieldErrorMessage(error)),
        refusals,
      );
    });
});
