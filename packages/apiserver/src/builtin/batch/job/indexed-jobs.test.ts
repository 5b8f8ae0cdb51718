// What an indexed job may ask for, as in Kubernetes 1.36 (validateJobSpec). The index of each pod is kept in the status,
// so that their number is bounded, and more tightly when failures are counted for each index.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ApiServer } from '../../../api-server.ts';
import { createMemoryStore } from '../../../storage/memory-store.ts';

const server = new ApiServer({ store: createMemoryStore() });
after(() => server.close());

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const MANY =
  'must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index';

interface Refusal {
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
}

async function findings(spec: object): Promise<string[]> {
  const body = { metadata: { name: 'x' }, spec: { completionMode: 'Indexed', template, ...spec } };
  const path = '/apis/batch/v1/namespaces/default/jobs';
  const answer = await server.transport().request({ method: 'POST', path, body, query: { dryRun: 'All' } });
  return ((answer.body as Refusal).details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}

describe('an indexed job', () => {
  const perIndex = { backoffLimitPerIndex: 1 };
  const rows: [rule: string, spec: object, findings: string[]][] = [
    [
      'says how many indexes it has',
      { parallelism: 2 },
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    ['may let as many indexes fail as it has', { completions: 3, ...perIndex, maxFailedIndexes: 3 }, []],
    [
      'cannot let more indexes fail than it has',
      { completions: 3, ...perIndex, maxFailedIndexes: 4 },
      ['spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions'],
    ],
    ['need not say how many may fail', { completions: 3, ...perIndex }, []],
    ['may have 100,000 pods at a time', { completions: 100_001, parallelism: 100_000 }, []],
    [
      'has no more than 100,000 pods at a time',
      { completions: 3, parallelism: 100_001 },
      [
        'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
      ],
    ],
    [
      'of many indexes says how many may fail',
      { completions: 100_001, parallelism: 1, ...perIndex },
      ['spec.maxFailedIndexes: Required value: must be specified when completions is above 100000'],
    ],
    ['of 100,000 indexes need not', { completions: 100_000, parallelism: 1, ...perIndex }, []],
    [
      'of many indexes has 10,000 pods at a time',
      { completions: 100_001, parallelism: 10_001, ...perIndex, maxFailedIndexes: 10_000 },
      [`spec.parallelism: Invalid value: 10001: ${MANY}`],
    ],
    [
      'of many indexes lets 10,000 fail',
      { completions: 100_001, parallelism: 10_000, ...perIndex, maxFailedIndexes: 10_001 },
      [`spec.maxFailedIndexes: Invalid value: 10001: ${MANY}`],
    ],
  ];
  for (const [rule, spec, wanted] of rows)
    it(rule, async () => {
      assert.deepEqual(await findings(spec), wanted);
    });
});
