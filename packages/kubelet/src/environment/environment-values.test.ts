import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EnvVar } from '@windlass/apimachinery/api/core/v1';
import { testPod } from '../pod/testing.ts';
import { environmentValues } from './environment-values.ts';

const source = {
  objects: {
    configMap: async () => undefined,
    secret: async () => undefined,
    services: async () => [],
    allocatable: (node: string): Record<string, string> =>
      node === 'node-1' ? { cpu: '3900m', memory: '1Gi' } : {},
  },
  podIP: '10.1.0.7',
  hostIP: '192.0.2.1',
  signal: new AbortController().signal,
};
const container = { name: 'main', resources: { limits: { memory: '64Mi' }, requests: { cpu: '250m' } } };
const field = (fieldPath: string): EnvVar['valueFrom'] => ({ fieldRef: { fieldPath } });
const resource = (name: string, divisor = '0', containerName?: string): EnvVar['valueFrom'] => ({
  resourceFieldRef: { resource: name, divisor, ...(containerName !== undefined && { containerName }) },
});

describe('the variables of a container', () => {
  const rows: [valueFrom: EnvVar['valueFrom'], expected: string][] = [
    [field('status.podIP'), '10.1.0.7'],
    [field('status.hostIP'), '192.0.2.1'],
    [field("metadata.labels['app']"), 'web'],
    [field("metadata.annotations['none']"), ''],
    [resource('limits.memory'), '67108864'],
    [resource('limits.memory', '1Mi'), '64'],
    [resource('requests.cpu', '1m'), '250'],
    [resource('requests.cpu'), '1'],
    [resource('requests.memory'), '0'],
    // Without a limit it may have all that its node has for pods.
    [resource('limits.cpu'), '4'],
    [resource('limits.cpu', '1m', 'other'), '100'],
  ];
  for (const [valueFrom, expected] of rows)
    it(`${JSON.stringify(valueFrom)} is ${expected}`, async () => {
      const other = { name: 'other', resources: { limits: { cpu: '100m' } } };
      const spec = { nodeName: 'node-1', containers: [container, other] };
      const pod = testPod(spec, { labels: { app: 'web' } });
      const env = [{ name: 'X', ...(valueFrom !== undefined && { valueFrom }) }];
      assert.equal((await environmentValues(pod, { ...container, env }, source)).get('X'), expected);
    });

  it('may name those before them; what comes from elsewhere is taken as it is', async () => {
    const pod = testPod({}, { annotations: { a: '$(ONE)' } });
    const env: EnvVar[] = [
      { name: 'ONE', value: '1' },
      { name: 'TWO', value: '$(ONE)$(THREE)$$(ONE)' },
      { name: 'THREE', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['a']" } } },
    ];
    const values = await environmentValues(pod, { ...container, env }, source);
    assert.deepEqual(Object.fromEntries(values), { ONE: '1', TWO: '1$(THREE)$(ONE)', THREE: '$(ONE)' });
  });
});
