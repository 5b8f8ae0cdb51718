import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerStatus, Pod } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { summaryOf } from './summary.ts';

type Status = View<ContainerStatus>;

const running = (name: string, more: Status = {}): Status => ({
  name,
  ready: true,
  started: true,
  state: { running: {} },
  ...more,
});
const ended = (name: string, exitCode: number, more: object = {}): Status => ({
  name,
  state: { terminated: { exitCode, ...more } },
});
const waiting = (name: string, reason: string): Status => ({ name, state: { waiting: { reason } } });
const spec: View<Pod>['spec'] = { containers: [{ name: 'a' }] };
const withInit: View<Pod>['spec'] = { ...spec, initContainers: [{ name: 'i' }, { name: 'j' }] };
const withSidecar: View<Pod>['spec'] = { ...spec, initContainers: [{ name: 's', restartPolicy: 'Always' }] };
const deletionTimestamp = '2026-01-01T00:00:00Z';

const rows: [what: string, pod: View<Pod>, ready: string, reason: string, restarts: number][] = [
  ['the phase where nothing else is known', { spec, status: { phase: 'Pending' } }, '0/1', 'Pending', 0],
  [
    'a reason before the phase',
    { spec, status: { phase: 'Failed', reason: 'Evicted' } },
    '0/1',
    'Evicted',
    0,
  ],
  [
    'gates that hold the pod',
    {
      spec,
      status: {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
      },
    },
    '0/1',
    'SchedulingGated',
    0,
  ],
  [
    'a container that runs',
    { spec, status: { phase: 'Running', containerStatuses: [running('a', { restartCount: 2 })] } },
    '1/1',
    'Running',
    2,
  ],
  [
    'a container that waits',
    { spec, status: { phase: 'Running', containerStatuses: [waiting('a', 'CrashLoopBackOff')] } },
    '0/1',
    'CrashLoopBackOff',
    0,
  ],
  [
    'a signal before the exit code',
    { spec, status: { phase: 'Failed', containerStatuses: [ended('a', 137, { signal: 9 })] } },
    '0/1',
    'Signal:9',
    0,
  ],
  [
    'an exit code without a reason',
    { spec, status: { phase: 'Failed', containerStatuses: [ended('a', 3)] } },
    '0/1',
    'ExitCode:3',
    0,
  ],
  [
    'of several containers the first one has the word',
    {
      spec,
      status: {
        phase: 'Running',
        containerStatuses: [ended('a', 1, { reason: 'Error' }), waiting('b', 'ImagePullBackOff')],
      },
    },
    '0/1',
    'Error',
    0,
  ],
  [
    'one that ended well beside one that runs, and the pod is not ready',
    {
      spec,
      status: { phase: 'Running', containerStatuses: [ended('a', 0, { reason: 'Completed' }), running('b')] },
    },
    '1/1',
    'NotReady',
    0,
  ],
  [
    'one that ended well beside one that runs, and the pod is ready',
    {
      spec,
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [ended('a', 0, { reason: 'Completed' }), running('b')],
      },
    },
    '1/1',
    'Running',
    0,
  ],
  [
    'how many init containers have ended',
    {
      spec: withInit,
      status: {
        phase: 'Pending',
        initContainerStatuses: [ended('i', 0), running('j', { restartCount: 1 })],
        containerStatuses: [waiting('a', 'PodInitializing')],
      },
    },
    '0/1',
    'Init:1/2',
    1,
  ],
  [
    'an init container that failed',
    { spec: withInit, status: { phase: 'Pending', initContainerStatuses: [ended('i', 1)] } },
    '0/1',
    'Init:ExitCode:1',
    0,
  ],
  [
    'an init container that waits',
    {
      spec: withInit,
      status: { phase: 'Pending', initContainerStatuses: [waiting('i', 'ErrImagePull')] },
    },
    '0/1',
    'Init:ErrImagePull',
    0,
  ],
  [
    'a sidecar counts as a container once it has started',
    {
      spec: withSidecar,
      status: {
        phase: 'Running',
        initContainerStatuses: [running('s', { restartCount: 4 })],
        containerStatuses: [running('a', { restartCount: 1 })],
      },
    },
    '2/2',
    'Running',
    5,
  ],
  [
    'a sidecar that is not ready holds nobody up',
    {
      spec: withSidecar,
      status: {
        phase: 'Running',
        initContainerStatuses: [running('s', { ready: false })],
        containerStatuses: [running('a')],
      },
    },
    '1/2',
    'Running',
    0,
  ],
  [
    'a sidecar that has not started',
    {
      spec: withSidecar,
      status: {
        phase: 'Pending',
        initContainerStatuses: [running('s', { started: false })],
        containerStatuses: [waiting('a', 'PodInitializing')],
      },
    },
    '0/2',
    'Init:0/1',
    0,
  ],
  [
    'a deletion that waits',
    {
      metadata: { deletionTimestamp },
      spec,
      status: { phase: 'Running', containerStatuses: [running('a')] },
    },
    '1/1',
    'Terminating',
    0,
  ],
  [
    'a deletion of what has ended',
    { metadata: { deletionTimestamp }, spec, status: { phase: 'Succeeded' } },
    '0/1',
    'Succeeded',
    0,
  ],
  [
    'a deletion on a node that is lost',
    { metadata: { deletionTimestamp }, spec, status: { phase: 'Running', reason: 'NodeLost' } },
    '0/1',
    'Unknown',
    0,
  ],
];

for (const [what, pod, ready, reason, restarts] of rows)
  test(`${what}: ${ready} ${reason}`, () => {
    const summary = summaryOf(pod);
    assert.deepEqual(
      [`${summary.ready}/${summary.total}`, summary.reason, summary.restarts],
      [ready, reason, restarts],
    );
  });

test('the last restart is the latest end of those that are counted', () => {
  const lastState = (finishedAt: string): Status => ({
    restartCount: 1,
    lastState: { terminated: { exitCode: 1, finishedAt } },
  });
  const containerStatuses = [
    running('a', lastState('2026-01-02T00:00:00Z')),
    running('b', lastState('2026-01-03T00:00:00Z')),
    running('c', lastState('2026-01-01T00:00:00Z')),
  ];
  const { lastRestart, restarts } = summaryOf({ spec, status: { containerStatuses } });
  assert.equal(lastRestart, Date.parse('2026-01-03T00:00:00Z'));
  assert.equal(restarts, 3);
});
