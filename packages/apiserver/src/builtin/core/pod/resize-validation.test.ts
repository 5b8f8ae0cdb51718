import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Pod, PodSpec, PodStatus } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { Findings } from '../../shared/findings.ts';
import { neverResized, validateResize } from './resize-validation.ts';

const cpu = (amount: string, more: Record<string, string> = {}): NonNullable<Container['resources']> => ({
  requests: { cpu: amount, ...more },
});
const container = (
  name: string,
  resources: Container['resources'],
  more: Partial<Container> = {},
): Container => ({
  name,
  image: 'x',
  ...(resources !== undefined && { resources }),
  ...more,
});
const pod = (spec: Partial<PodSpec>, status: PodStatus = { qosClass: 'Burstable' }): View<Pod> => ({
  metadata: { name: 'p' },
  spec: { containers: [container('a', cpu('1'))], ...spec },
  status,
});

function problems(now: View<Pod>, old: View<Pod>): string[] {
  const findings = new Findings();
  validateResize(now, old, findings);
  return findings.errors.map(({ field, detail }) => `${field}: ${detail}`);
}

describe('a resize', () => {
  const init = (resources: Container['resources'], more: Partial<Container> = {}): Partial<PodSpec> => ({
    initContainers: [container('i', resources, more)],
  });
  const always = { restartPolicy: 'Always' };
  const restarts = { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] };
  const running = (resources?: Container['resources']): PodStatus => ({
    qosClass: 'Burstable',
    containerStatuses: [
      {
        name: 'a',
        image: 'x',
        imageID: '',
        ready: true,
        restartCount: 0,
        state: { running: {} },
        ...(resources !== undefined && { resources }),
      },
    ],
  });
  const rows: [what: string, now: View<Pod>, old: View<Pod>, expected: string[]][] = [
    ['of a container', pod({ containers: [container('a', cpu('2'))] }), pod({}), []],
    [
      'that takes a request away',
      pod({ containers: [container('a', { requests: { memory: '1' } })] }),
      pod({}),
      ['spec.containers[0].resources.requests: resource requests cannot be removed'],
    ],
    [
      'of something else',
      pod({ containers: [container('a', cpu('1', { 'example.com/gpu': '1' }))] }),
      pod({}),
      ['spec: only cpu and memory resources are mutable'],
    ],
    [
      'that makes another class of it',
      pod({
        containers: [
          container('a', { requests: { cpu: '1', memory: '1' }, limits: { cpu: '1', memory: '1' } }),
        ],
      }),
      pod({}),
      ['spec: Pod QOS Class may not change as a result of resizing'],
    ],
    [
      'with another container',
      pod({ containers: [container('a', cpu('1')), container('b', {})] }),
      pod({}),
      ['spec.containers: containers may not be added or removed on resize'],
    ],
    [
      'with another name',
      pod({ containers: [container('b', cpu('1'))] }),
      pod({}),
      ['spec.containers[0].name: containers may not be renamed or reordered on resize'],
    ],
    ['of a sidecar', pod(init(cpu('2'), always)), pod(init(cpu('1'), always)), []],
    ['of an init container', pod(init(cpu('2'))), pod(init(cpu('1'))), []],
    [
      'of an init container that would start anew',
      pod(init(cpu('2'), restarts)),
      pod(init(cpu('1'), restarts)),
      [
        'spec.initContainers[0]: non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
      ],
    ],
    ['that leaves it alone', pod(init(cpu('1'), restarts)), pod(init(cpu('1'), restarts)), []],
    [
      "of an init container's image",
      pod(init(cpu('1'), { image: 'y' })),
      pod(init(cpu('1'))),
      ['spec.initContainers[0]: only cpu and memory resources for init or sidecar containers are mutable'],
    ],
    ['of the pod as a whole', pod({ resources: cpu('4') }), pod({ resources: cpu('3') }), []],
    ['that gives it some', pod({ resources: cpu('4') }), pod({}), []],
    [
      'that takes them away',
      pod({}),
      pod({ resources: cpu('3') }),
      ['spec.resources: pod-level resources cannot be removed'],
    ],
    [
      'that takes one of them away',
      pod({ resources: { limits: { cpu: '4' } } }),
      pod({ resources: cpu('3') }),
      ['spec.resources.requests: pod-level resource requests cannot be removed'],
    ],
    [
      'of something else of the pod',
      pod({ resources: cpu('3', { 'hugepages-2Mi': '2Mi' }) }),
      pod({ resources: cpu('3') }),
      ['spec: only cpu and memory resources are mutable at pod-level'],
    ],
    ['on a node that can', pod({ containers: [container('a', cpu('2'))] }), pod({}, running({})), []],
    [
      'on a node that cannot',
      pod({ containers: [container('a', cpu('2'))] }),
      pod({}, running()),
      ['spec: Pod running on node without support for resize'],
    ],
  ];
  for (const [what, now, old, expected] of rows)
    it(what, () => assert.deepEqual(problems(now, old), expected));

  it('is never one of a static pod, or on Windows', () => {
    const mirror = { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } };
    assert.equal(neverResized(mirror), 'static pods cannot be resized');
    assert.equal(neverResized(pod({ os: { name: 'windows' } })), 'windows pods cannot be resized');
    assert.equal(neverResized(pod({ os: { name: 'linux' } })), undefined);
  });
});
