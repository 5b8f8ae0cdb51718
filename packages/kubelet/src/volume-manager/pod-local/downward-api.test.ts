import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { downwardValue } from './downward-api.ts';

const pod = {
  metadata: { name: 'web', namespace: 'n', uid: 'u', labels: { b: 'x"y', a: '1' }, annotations: { k: 'v' } },
  spec: {
    nodeName: 'node-1',
    containers: [{ name: 'c', resources: { limits: { memory: '64Mi', cpu: '1500m' } } }],
  },
};
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
  ];
  for (const [name, item, expected] of rows) it(name, () => assert.equal(downwardValue(pod, item), expected));
});
