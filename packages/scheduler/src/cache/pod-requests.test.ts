import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, PodSpec } from '@windlass/apimachinery/api/core/v1';
import { assumedRequests, podRequests } from './pod-requests.ts';

const container = (requests: Record<string, string>, more: Partial<Container> = {}): Container => ({
  name: 'c',
  resources: { requests },
  ...more,
});

describe('what a pod takes', () => {
  const sidecar = { restartPolicy: 'Always' };
  for (const [what, spec, expected] of [
    ['nothing', { containers: [container({})] }, {}],
    [
      'the sum of its containers',
      { containers: [container({ cpu: '100m' }), container({ cpu: '1', memory: '1Ki' })] },
      { cpu: 1100, memory: 1024 },
    ],
    [
      'what its greatest init container needs, if that is more',
      {
        containers: [container({ cpu: '1' })],
        initContainers: [container({ cpu: '3' }), container({ cpu: '2' })],
      },
      { cpu: 3000 },
    ],
    [
      'its sidecars with its containers',
      { containers: [container({ cpu: '1' })], initContainers: [container({ cpu: '2' }, sidecar)] },
      { cpu: 3000 },
    ],
    [
      'sidecars beside the init containers after them',
      {
        containers: [container({ cpu: '1' })],
        initContainers: [container({ cpu: '4' }), container({ cpu: '1' }, sidecar), container({ cpu: '4' })],
      },
      { cpu: 5000 },
    ],
    ['its overhead', { containers: [container({ cpu: '1' })], overhead: { cpu: '250m' } }, { cpu: 1250 }],
    [
      'what it asks for as a whole',
      { containers: [container({ cpu: '1' })], resources: { requests: { cpu: '2' } } },
      { cpu: 2000 },
    ],
  ] as const satisfies readonly (readonly [string, PodSpec, Record<string, number>])[])
    it(`is ${what}`, () => assert.deepEqual(Object.fromEntries(podRequests({ spec })), expected));

  it('counts for scores as something when nothing is asked for', () => {
    const spec: PodSpec = { containers: [container({ cpu: '1' }), container({})] };
    assert.deepEqual(Object.fromEntries(assumedRequests({ spec })), {
      cpu: 1100,
      memory: 2 * 200 * 1024 * 1024,
    });
  });
});
