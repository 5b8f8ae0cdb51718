import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { downwardValue } from './downward-api.ts';

const pod = served(Pod, {
  metadata: { name: 'web', namespace: 'n', uid: 'u', labels: { b: 'x"y', a: '1' }, annotations: { k: 'v' } },
  spec: {
    nodeName: 'node-1',
    containers: [{ name: 'c', resources: { limits: { memory: '64Mi', cpu: '1500m' } } }],
  },
});
const field = (fieldPath: string) => ({ path: 'x', fieldRef: { fieldPath } });
const resource = (name: string, divisor?: string) => ({
  path: 'x',
  resourceFieldRef: { containerName: 'c', resource: name, ...(divisor !== undefined && { divisor }) },
});

describe('what a pod reads of itself', () => {
  const rows: [name: string, item: Parameters<typeof downwardValue>[1], expected: string][] = [
    ['its name', field('metadata.name'), 'web'],
    ['its labels, in order', field('metadata.labels'), 'a="1"\nb="x\\"y"'],
    ['one label', field("metadata.labels['a']"), '1'],
    ['one annotation', field("metadata.annotations['k']"), 'v'],
    ['its node', field('spec.nodeName'), 'node-1'],
    ['a limit in bytes', resource('limits.memory'), '67108864'],
    ['a limit in units', resource('limits.memory', '1Mi'), '64'],
    ['a part of a unit counts as one', resource('limits.cpu'), '2'],
    ['a limit in small units', resource('limits.cpu', '1m'), '1500'],
    ['what its node has, where it has no limit', resource('limits.ephemeral-storage', '1Gi'), '9'],
    ['nothing, where it asks for nothing', resource('requests.cpu'), '0'],
    ['nothing of what nodes do not limit', resource('limits.pods'), '0'],
  ];
  it('a limit beyond all numbers, as the largest of 64 bits', () => {
    const limits = { memory: '1e1000000000', cpu: '1e400' };
    const huge = { ...pod, spec: { containers: [{ name: 'c', resources: { limits } }] } };
    assert.equal(downwardValue(huge, resource('limits.memory'), {}), '9223372036854774784');
    assert.equal(downwardValue(huge, resource('limits.memory', '1Gi'), {}), '8589934592');
    assert.equal(downwardValue(huge, resource('limits.cpu', '1m'), {}), '9223372036854774784');
  });
  for (const [name, item, expected] of rows)
    it(name, () =>
      assert.equal(
        downwardValue(pod, item, { cpu: '3900m', memory: '1Gi', 'ephemeral-storage': '9Gi', pods: '110' }),
        expected,
      ),
    );
});
