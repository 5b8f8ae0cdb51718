import { describe } from 'node:test';
import { inDefault, type Json, KindApi, testRefusals } from '../../testing/kind-api.ts';

const api = new KindApi();
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const jobTemplate = { spec: { template } };

describe('a cron job', () => {
  const cronJob = (fields: Json): Json => ({ spec: { schedule: '* * * * *', jobTemplate, ...fields } });
  testRefusals(api, inDefault('batch/v1/cronjobs'), cronJob, [
    ['needs nothing but a schedule and a job', {}, []],
    [
      'without a job is told what the job lacks',
      { jobTemplate: undefined },
      [
        'spec.jobTemplate.spec.template.spec.containers: Required value',
        'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      ],
    ],
    ['has a schedule', { schedule: '' }, ['spec.schedule: Required value']],
    [
      'names what to do with jobs that overlap',
      { concurrencyPolicy: 'Queue' },
      ['spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"'],
    ],
    [
      'has no negative numbers',
      { startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
      ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'].map(
        (field) => `spec.${field}: Invalid value: -1: must be greater than or equal to 0`,
      ),
    ],
    [
      'leaves to each job how it finds its pods',
      { jobTemplate: { spec: { template, manualSelector: true, selector: { matchLabels: { a: 'b' } } } } },
      [
        'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
        'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
      ],
    ],
  ]);
  testRefusals(api, inDefault('batch/v1/cronjobs'), (metadata) => ({ metadata, ...cronJob({}) }), [
    ['may have a name of 52 letters', { name: 'x'.repeat(52) }, []],
    [
      'leaves room in its name for that of each job',
      { name: 'x'.repeat(53) },
      [`metadata.name: Invalid value: "${'x'.repeat(53)}": must be no more than 52 characters`],
    ],
  ]);
});
