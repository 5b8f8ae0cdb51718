import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PodSpec } from '@windlass/apimachinery/api/core/v1';
import { unsaidBy } from './quota-constraints.ts';

const container = (
  name: string,
  requests: Record<string, string> = {},
  limits: Record<string, string> = {},
) => ({
  name,
  image: 'a',
  resources: { requests, limits },
});

describe('what containers leave open', () => {
  const rows: readonly [string, Partial<PodSpec>, readonly string[], readonly string[]][] = [
    ['nothing is limited', { containers: [container('a')] }, ['pods', 'count/pods', 'requests.storage'], []],
    [
      'all is said',
      { containers: [container('a', { cpu: '1' }, { cpu: '1' })] },
      ['cpu', 'requests.cpu', 'limits.cpu'],
      [],
    ],
    ['cpu is what is requested', { containers: [container('a', {}, { cpu: '1' })] }, ['cpu'], ['cpu for: a']],
    [
      'each container says it, sorted, and one that does is not named',
      { containers: [container('c'), container('b', { memory: '1' }), container('a')] },
      ['requests.memory'],
      ['requests.memory for: a,c'],
    ],
    [
      'init containers too',
      { containers: [container('a', { cpu: '1' })], initContainers: [container('init')] },
      ['requests.cpu'],
      ['requests.cpu for: init'],
    ],
    [
      'each resource has its part, sorted',
      { containers: [container('a')] },
      ['requests.cpu', 'limits.memory', 'limits.cpu'],
      ['limits.cpu for: a', 'limits.memory for: a', 'requests.cpu for: a'],
    ],
    [
      'a pod says it for all of its containers',
      { containers: [container('a')], resources: { limits: { cpu: '1' } } },
      ['limits.cpu', 'limits.memory'],
      ['limits.memory for: a'],
    ],
  ];
  for (const [name, spec, limited, unsaid] of rows)
    test(name, () => assert.deepEqual(unsaidBy({ containers: [], ...spec }, limited), unsaid));
});
