import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime } from '@windlass/apimachinery';
import type { PodSpec } from '@windlass/apimachinery/api/core/v1';
import { nextStep } from './next-step.ts';
import type { PodRecord } from './pod-record.ts';
import { type Known, NOW, testPod, testRecord } from './testing.ts';

const init = { name: 'i', image: 'x' };
const side = { name: 's', image: 'x', restartPolicy: 'Always' };
const two: PodSpec['containers'] = [
  { name: 'a', image: 'x' },
  { name: 'b', image: 'x' },
];

describe('the next step', () => {
  const rows: readonly (readonly [
    what: string,
    spec: Partial<PodSpec>,
    known: Readonly<Record<string, Known>>,
    step: string,
    more?: Partial<PodRecord>,
  ])[] = [
    ['starts a container whose image is there', {}, { a: 'new' }, 'start a'],
    ['starts containers in their order', { containers: two }, { a: 'run!', b: 'new' }, 'start b'],
    ['has nothing to do for one that runs', {}, { a: 'run!' }, 'wait'],
    ['starts init containers first', { initContainers: [init] }, { i: 'new', a: 'new' }, 'start i'],
    ['waits for them', { initContainers: [init] }, { i: 'run!', a: 'new' }, 'wait'],
    ['goes on when they are done', { initContainers: [init] }, { i: 0, a: 'new' }, 'initialized'],
    [
      'waits for a sidecar to have started',
      { initContainers: [side, init] },
      { s: 'run', i: 'new', a: 'new' },
      'wait',
    ],
    ['then goes on', { initContainers: [side, init] }, { s: 'run!', i: 'new', a: 'new' }, 'start i'],
    [
      'starts a sidecar anew beside the others',
      { initContainers: [side] },
      { s: 1, a: 'run!' },
      'start s',
      { isInitialized: true },
    ],
    [
      'does not run init containers again',
      { initContainers: [init] },
      { i: 'new', a: 'run!' },
      'wait',
      { isInitialized: true },
    ],
    [
      'gives up when one has failed for good',
      { initContainers: [init], restartPolicy: 'Never' },
      { i: 1, a: 'new' },
      'finish',
    ],
    ['starts a failed init container anew', { initContainers: [init] }, { i: 1, a: 'new' }, 'start i'],
    ['starts one that ended anew', {}, { a: 0 }, 'start a'],
    [
      'leaves one that ended well under OnFailure',
      { restartPolicy: 'OnFailure', containers: two },
      { a: 0, b: 'run!' },
      'wait',
    ],
    ['is done when all have ended', { restartPolicy: 'Never', containers: two }, { a: 0, b: 1 }, 'finish'],
    [
      'then ends sidecars',
      { restartPolicy: 'Never', initContainers: [side] },
      { s: 'run!', a: 0 },
      'stop s',
      { isInitialized: true },
    ],
    [
      'ends a pod that was forced to',
      {},
      { a: 'run!' },
      'stop a',
      { forcedEnd: { reason: 'Evicted', message: '', graceMs: 0 } },
    ],
    [
      'ends main containers before sidecars',
      { initContainers: [side] },
      { s: 'run!', a: 'stopping' },
      'wait',
      { forcedEnd: { reason: 'x', message: '', graceMs: 30_000 } },
    ],
    [
      'shortens a grace',
      {},
      { a: 'stopping' },
      'stop a',
      { forcedEnd: { reason: 'x', message: '', graceMs: 10 } },
    ],
    [
      'minds the deadline',
      { activeDeadlineSeconds: 5 },
      { a: 'run!' },
      'deadline',
      { startedAt: NOW - 5000 },
    ],
    ['waits until the deadline', { activeDeadlineSeconds: 5 }, { a: 'run!' }, 'wait 5000'],
    ['starts nothing of a pod that has ended', {}, { a: 1 }, 'finish', { written: { phase: 'Failed' } }],
    [
      'probes at once',
      { containers: [{ name: 'a', image: 'x', readinessProbe: {} }] },
      { a: 'run!' },
      'probe a readiness',
    ],
    [
      'probes after the initial delay',
      { containers: [{ name: 'a', image: 'x', livenessProbe: { initialDelaySeconds: 3 } }] },
      { a: 'run!' },
      'wait 3000',
    ],
    [
      'probes the startup alone at first',
      { containers: [{ name: 'a', image: 'x', startupProbe: {}, livenessProbe: {} }] },
      { a: 'run' },
      'probe a startup',
    ],
  ];
  for (const [what, spec, known, expected, more] of rows)
    it(what, () => {
      const pod = testPod(spec);
      const step = nextStep(pod, testRecord(pod, known, more), NOW);
      const parts = [
        step.do,
        'container' in step ? step.container : undefined,
        'kind' in step ? step.kind : undefined,
        step.do === 'wait' && Number.isFinite(step.until) ? step.until - NOW : undefined,
      ];
      assert.equal(parts.filter((part) => part !== undefined).join(' '), expected);
    });

  it('gives a deleted pod what is left of its grace', () => {
    const pod = testPod({}, { deletionTimestamp: formatTime(NOW + 12_000) });
    assert.deepEqual(nextStep(pod, testRecord(pod, { a: 'run!' }), NOW), {
      do: 'stop',
      container: 'a',
      graceMs: 12_000,
    });
  });

  it('backs off from a registry, but not from a name that is none', () => {
    const pod = testPod();
    for (const [reason, step] of [
      ['ErrImagePull', { do: 'pullBackOff', container: 'a' }],
      ['InvalidImageName', { do: 'wait', until: NOW + 9000 }],
      ['ErrImageNeverPull', { do: 'wait', until: NOW + 9000 }],
    ] as const) {
      const record = testRecord(pod, { a: 'new' });
      const [container] = record.containers.values();
      assert.ok(container !== undefined);
      container.phase = { kind: 'waiting', reason };
      container.pull = { kind: 'failed', reason, delayMs: 10_000, backOffAt: NOW, retryAt: NOW + 9000 };
      assert.deepEqual(nextStep(pod, record, NOW), step);
    }
  });

  it('backs off between restarts', () => {
    const pod = testPod();
    const record = testRecord(pod, { a: 1 });
    const [container] = record.containers.values();
    assert.ok(container !== undefined);
    container.backOff = { delayMs: 20_000, since: NOW };
    assert.deepEqual(nextStep(pod, record, NOW), { do: 'backOff', container: 'a', delayMs: 20_000 });
    const waiting = testRecord(pod, { a: 'wait 1' });
    const [second] = waiting.containers.values();
    assert.ok(second !== undefined);
    second.backOff = { delayMs: 20_000, since: NOW };
    assert.deepEqual(nextStep(pod, waiting, NOW), { do: 'wait', until: NOW + 20_000 });
    assert.equal(nextStep(pod, waiting, NOW + 20_000).do, 'start');
    // Ten minutes without a restart make it as good as new.
    second.backOff = { delayMs: 300_000, since: NOW - 600_001 };
    assert.equal(nextStep(pod, waiting, NOW).do, 'start');
  });
});
