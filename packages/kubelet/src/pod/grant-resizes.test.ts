import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import type { Container, Pod, ResourceRequirements } from '@windlass/apimachinery/api/core/v1';
import { grantResizes } from './grant-resizes.ts';
import type { ResizePending } from './resize.ts';
import { type Known, testPod, testRecord } from './testing.ts';

const cpu = (amount: string): ResourceRequirements => ({ requests: { cpu: amount } });

/** A pod with two containers that were granted one processor each, and are to have these. */
function resize(
  wanted: readonly Partial<Container>[],
  pending?: ResizePending,
  { state = 'run!', before, going = false }: { state?: Known; before?: ResizePending; going?: boolean } = {},
) {
  const granted = testPod({
    containers: [
      { name: 'a', resources: cpu('1') },
      { name: 'b', resources: cpu('1') },
    ],
  });
  const record = testRecord(granted, { a: state, b: state }, { resizePending: before });
  const pod: Served<Pod> = {
    ...granted,
    metadata: { ...granted.metadata, ...(going && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
    spec: {
      containers: (granted.spec?.containers ?? []).map((container, at) => ({ ...container, ...wanted[at] })),
    },
  };
  const story: string[] = [];
  grantResizes(pod, record, {
    admit: () => pending,
    stop: ({ name }) => story.push(`stop ${name}`),
    events: {
      notResized: (_, reason) => story.push(`not resized: ${reason}`),
      killing: (_, name) => story.push(`killing ${name}`),
      resized: () => story.push('resized'),
    },
  });
  const amounts = (field: 'allocated' | 'actual') =>
    record.containers
      .values()
      .map((container) => container[field].requests?.['cpu'])
      .toArray();
  return {
    story,
    pending: record.resizePending?.reason,
    allocated: amounts('allocated'),
    actual: amounts('actual'),
  };
}

const DEFERRED: ResizePending = { reason: 'Deferred', message: 'no room' };
const RESTART = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];

describe('resources that a pod is to have', () => {
  it('are nothing to do when it has them, and what was pending is over', () => {
    const { story, pending } = resize([], undefined, { before: DEFERRED });
    assert.deepEqual([story, pending], [[], undefined]);
  });

  it('are granted where the node has them, and the containers run on', () => {
    assert.deepEqual(resize([{ resources: cpu('2') }, { resources: cpu('3') }]), {
      story: ['resized'],
      pending: undefined,
      allocated: ['2', '3'],
      actual: ['2', '3'],
    });
  });

  it('are granted all or not at all', () => {
    assert.deepEqual(resize([{ resources: cpu('2') }], DEFERRED), {
      story: ['not resized: Deferred'],
      pending: 'Deferred',
      allocated: ['1', '1'],
      actual: ['1', '1'],
    });
  });

  it('are told of once while they are refused for the same reason', () => {
    const again = resize([{ resources: cpu('2') }], DEFERRED, { before: DEFERRED });
    assert.deepEqual(again.story, []);
    const worse = resize(
      [{ resources: cpu('2') }],
      { ...DEFERRED, reason: 'Infeasible' },
      { before: DEFERRED },
    );
    assert.deepEqual(worse.story, ['not resized: Infeasible']);
  });

  it('restart a container whose policy says so; it has the old ones until it has ended', () => {
    assert.deepEqual(resize([{ resources: cpu('2'), resizePolicy: RESTART }, { resources: cpu('2') }]), {
      story: ['killing a', 'stop a', 'resized'],
      pending: undefined,
      allocated: ['2', '2'],
      actual: ['1', '2'],
    });
  });

  it('stop nothing that does not run', () => {
    const { story, actual } = resize([{ resources: cpu('2'), resizePolicy: RESTART }], undefined, {
      state: 'new',
    });
    assert.deepEqual([story, actual], [['resized'], ['2', '1']]);
  });

  it('are not looked at any more when it ends', () => {
    const { story, allocated } = resize([{ resources: cpu('2') }], undefined, { going: true });
    assert.deepEqual([story, allocated], [[], ['1', '1']]);
  });
});
