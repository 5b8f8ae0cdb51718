// What a job may be, what of it may change, and what may be said of it (validateJobSpec, validateJobStatus and
// ValidateJobSpecUpdate of Kubernetes 1.36).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inDefault, type Json, KindApi, testRefusals } from '../../testing/kind-api.ts';

const api = new KindApi();
const JOBS = inDefault('batch/v1/jobs');
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const job = (spec: Json): Json => ({ spec: { template, ...spec } });
const indexed = (spec: Json): Json => job({ completionMode: 'Indexed', completions: 30, ...spec });

describe('the labels of a job', () => {
  const labelsOf = async (metadata: Json, labels?: Json): Promise<Readonly<Record<string, string>>> => {
    const made = job({ template: { ...template, ...(labels && { metadata: { labels } }) } });
    const { metadata: read } = await api.defaulted<{
      metadata: { labels: Record<string, string> };
    }>(JOBS, { ...made, metadata });
    return read.labels;
  };

  it('are those of its pods, also of what the server adds to them', async () => {
    const labels = await labelsOf({ name: 'none' });
    assert.deepEqual(Object.keys(labels).toSorted(), [
      'batch.kubernetes.io/controller-uid',
      'batch.kubernetes.io/job-name',
      'controller-uid',
      'job-name',
    ]);
    assert.equal(labels['job-name'], 'none');
  });

  it('are those that its template was given, or its own', async () => {
    assert.deepEqual(await labelsOf({ name: 'of-template' }, { a: 'b' }), { a: 'b' });
    assert.deepEqual(await labelsOf({ name: 'own', labels: { c: 'd' } }, { a: 'b' }), { c: 'd' });
  });
});

describe('a new job', () => {
  const INDEXED = 'requires indexed completion mode';
  testRefusals(api, JOBS, job, [
    ['needs nothing but a template', {}, []],
    [
      'that lets indexes fail says how often each may',
      { completionMode: 'Indexed', completions: 3, maxFailedIndexes: 1 },
      ['spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified'],
    ],
    [
      'has failures of indexes only where it has indexes',
      { backoffLimitPerIndex: 1, maxFailedIndexes: 1 },
      [
        `spec.backoffLimitPerIndex: Invalid value: 1: ${INDEXED}`,
        `spec.maxFailedIndexes: Invalid value: 1: ${INDEXED}`,
      ],
    ],
    [
      'has no negative numbers',
      {
        parallelism: -1,
        completions: -1,
        activeDeadlineSeconds: -1,
        backoffLimit: -1,
        ttlSecondsAfterFinished: -1,
      },
      ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'].map(
        (field) => `spec.${field}: Invalid value: -1: must be greater than or equal to 0`,
      ),
    ],
    [
      'is managed by whom a path of a domain names, in 63 bytes',
      { managedBy: `example.com/${'x'.repeat(52)}` },
      ['spec.managedBy: Too long: may not be more than 63 bytes'],
    ],
    ['may be managed by a name of 63 bytes', { managedBy: `example.com/${'x'.repeat(51)}` }, []],
    [
      'replaces pods that have failed or are on their way',
      { podReplacementPolicy: 'Never' },
      [
        'spec.podReplacementPolicy: Unsupported value: "Never": supported values: "Failed", "TerminatingOrFailed"',
      ],
    ],
  ]);
});

describe('a success policy', () => {
  const rule = { succeededIndexes: '0-1' };
  testRefusals(api, JOBS, (successPolicy) => indexed({ successPolicy }), [
    ['may have 20 rules', { rules: Array.from({ length: 20 }, () => rule) }, []],
    [
      'has no more than 20 rules',
      { rules: Array.from({ length: 21 }, () => rule) },
      ['spec.successPolicy.rules: Too many: 21: must have at most 20 items'],
    ],
    [
      'has a rule',
      { rules: [] },
      [
        'spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified',
      ],
    ],
    [
      'has rules that say something',
      { rules: [{}] },
      [
        'spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified',
      ],
    ],
    ['may ask for all indexes', { rules: [{ succeededCount: 30 }] }, []],
    [
      'asks for no more indexes than there are',
      { rules: [{ succeededCount: 31 }] },
      [
        'spec.successPolicy.rules[0].succeededCount: Invalid value: 31: must be less than or equal to 30 (the number of specified completions)',
      ],
    ],
    ['may ask for all indexes of its list', { rules: [{ ...rule, succeededCount: 2 }] }, []],
    [
      'asks for no more indexes than it lists',
      { rules: [{ ...rule, succeededCount: 3 }] },
      [
        'spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
      ],
    ],
  ]);
  testRefusals(api, JOBS, job, [
    [
      'is for jobs with indexes',
      { successPolicy: { rules: [rule] } },
      [
        `spec.successPolicy: Invalid value: {"rules":[{"succeededIndexes":"0-1"}]}: requires indexed completion mode`,
      ],
    ],
  ]);
});

describe('a change of a job', () => {
  const rows: readonly (readonly [rule: string, spec: Json, change: Json, refusals: readonly string[]])[] = [
    [
      'leaves the number of completions',
      { completions: 2 },
      { completions: 3 },
      ['spec.completions: Invalid value: 3: field is immutable'],
    ],
    [
      'leaves what says when an index has failed',
      { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 },
      { backoffLimitPerIndex: 2 },
      ['spec.backoffLimitPerIndex: Invalid value: 2: field is immutable'],
    ],
    [
      'leaves whose it is',
      { managedBy: 'example.com/a' },
      { managedBy: 'example.com/b' },
      ['spec.managedBy: Invalid value: "example.com/b": field is immutable'],
    ],
    [
      'leaves what counts as success',
      { completionMode: 'Indexed', completions: 2, successPolicy: { rules: [{ succeededCount: 1 }] } },
      { successPolicy: { rules: [{ succeededCount: 2 }] } },
      ['spec.successPolicy: Invalid value: {"rules":[{"succeededCount":2}]}: field is immutable'],
    ],
    [
      'may give an indexed job more completions with as many pods',
      { completionMode: 'Indexed', completions: 2, parallelism: 2 },
      { completions: 3, parallelism: 3 },
      [],
    ],
    [
      'gives an indexed job no other number of completions',
      { completionMode: 'Indexed', completions: 2, parallelism: 2 },
      { completions: 3 },
      ['spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism'],
    ],
    ['may give it other pods at a time', { completions: 2 }, { parallelism: 2 }, []],
    [
      'may say where the pods of a suspended job go',
      { suspend: true },
      { template: { spec: { nodeSelector: { a: 'b' } } } },
      [],
    ],
  ];
  for (const [rule, spec, change, refusals] of rows)
    it(rule, async () => {
      const path = await api.create(JOBS, job(spec));
      assert.deepEqual(await api.changeRefusals(path, { spec: change }), refusals);
    });
});

describe('the status of a job', () => {
  const START = '2030-01-01T00:00:00Z';
  const END = '2030-01-01T00:00:01Z';
  const conditions = (...types: string[]): Json => ({
    conditions: types.map((type) => ({ type, status: 'True' })),
  });
  const complete = { startTime: START, completionTime: END, ...conditions('SuccessCriteriaMet', 'Complete') };
  const failed = { startTime: START, ...conditions('FailureTarget', 'Failed') };
  const wrong = (problem: string): string => `status.conditions: Invalid value: ${problem}`;
  const rows: readonly (readonly [rule: string, before: Json, status: Json, refusals: readonly string[]])[] =
    [
      ['may say that the job is complete', {}, complete, []],
      ['may say that the job has failed', {}, failed, []],
      [
        'does not say both',
        {},
        {
          ...complete,
          ...conditions('SuccessCriteriaMet', 'Complete', 'Failed', 'FailureTarget'),
        },
        [
          wrong('cannot set Complete=True and Failed=true conditions'),
          wrong('cannot set Complete=True and FailureTarget=true conditions'),
          wrong('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'),
          wrong('cannot set SuccessCriteriaMet=True and Failed=true conditions'),
        ],
      ],
      [
        'is not complete before the criteria are met',
        {},
        { ...complete, ...conditions('Complete') },
        [wrong('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')],
      ],
      [
        'has not failed before it is about to',
        {},
        { ...failed, ...conditions('Failed') },
        [wrong('cannot set Failed=True condition without the FailureTarget=true condition')],
      ],
      [
        'says when the job began and ended',
        {},
        conditions('SuccessCriteriaMet', 'Complete'),
        [
          'status.completionTime: Required value: completionTime is required for Complete jobs',
          'status.startTime: Required value: startTime is required for finished job',
        ],
      ],
      [
        'has an end only when the job is complete',
        {},
        { startTime: START, completionTime: END },
        [
          `status.completionTime: Invalid value: "${END}": cannot set completionTime when there is no Complete=True condition`,
        ],
      ],
      [
        'of a job that is over has no pods that run or end',
        {},
        { ...failed, active: 1, terminating: 1, uncountedTerminatedPods: { failed: ['u'] } },
        [
          'status.active: Invalid value: 1: active>0 is invalid for finished job',
          'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
          'status.uncountedTerminatedPods: Invalid value: {"failed":["u"]}: must be empty for finished job',
        ],
      ],
      [
        'has no more ready pods than active ones',
        {},
        { active: 1, ready: 2 },
        ['status.ready: Invalid value: 2: cannot set more ready pods than active'],
      ],
      [
        'counts a pod once',
        {},
        { uncountedTerminatedPods: { succeeded: ['u', ''], failed: ['u'] } },
        [
          'status.uncountedTerminatedPods.failed[0]: Duplicate value: "u"',
          'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
        ],
      ],
      [
        'never counts backwards',
        { failed: 2, succeeded: 2 },
        { failed: 1, succeeded: 1 },
        [
          'status.failed: Invalid value: 1: cannot decrease the failed counter',
          'status.succeeded: Invalid value: 1: cannot decrease the succeeded counter',
        ],
      ],
      [
        'takes nothing back',
        failed,
        conditions(),
        [
          wrong('cannot disable the terminal Failed=True condition'),
          wrong('cannot disable the terminal FailureTarget=True condition'),
        ],
      ],
      [
        'keeps the time at which the job began',
        { startTime: START },
        { startTime: END },
        [`status.startTime: Invalid value: "${END}": field is immutable for unsuspended job once set`],
      ],
      [
        'has indexes only where the job has them',
        {},
        { completedIndexes: '0', failedIndexes: '1' },
        [
          'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
          'status.failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
        ],
      ],
    ];
  for (const [rule, before, status, refusals] of rows)
    it(rule, async () => {
      const path = `${await api.create(JOBS, job({}))}/status`;
      await api.change(path, { status: before });
      assert.deepEqual((await api.changeRefusals(path, { status })).toSorted(), refusals.toSorted());
    });
});
