import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { decideResize, type ResizeFacts } from './resize-decision.ts';

interface Row {
  readonly when: string;
  readonly wants: string;
  readonly has?: string;
  readonly volume: string;
  readonly state?: string;
  readonly allocated?: string;
  readonly conditions?: readonly string[];
  readonly facts?: Partial<ResizeFacts>;
  readonly to: string | undefined;
}

const rows: readonly Row[] = [
  { when: 'nothing is asked for', wants: '1Gi', volume: '1Gi', to: undefined },
  { when: 'less is asked for', wants: '512Mi', volume: '1Gi', to: undefined },
  { when: 'more is asked for', wants: '2Gi', volume: '1Gi', to: '2Gi' },
  {
    when: 'it failed for good before',
    wants: '3Gi',
    volume: '1Gi',
    state: 'ControllerResizeInfeasible',
    allocated: '2Gi',
    to: '3Gi',
  },
  {
    when: 'an earlier growth may go on',
    wants: '3Gi',
    volume: '1Gi',
    state: 'ControllerResizeInProgress',
    allocated: '2Gi',
    to: '2Gi',
  },
  {
    when: 'an earlier growth may go on, and nobody wrote how far',
    wants: '3Gi',
    volume: '1Gi',
    state: 'ControllerResizeInProgress',
    to: '3Gi',
  },
  {
    when: 'the node could not, and nobody wrote how far',
    wants: '3Gi',
    volume: '1Gi',
    state: 'NodeResizeInfeasible',
    to: '3Gi',
  },
  {
    when: 'the node is at it, and nobody wrote how far',
    wants: '3Gi',
    volume: '1Gi',
    state: 'NodeResizePending',
    to: '3Gi',
  },
  {
    when: 'an earlier growth has ended',
    wants: '3Gi',
    volume: '1Gi',
    state: 'ControllerResizeInProgress',
    allocated: '2Gi',
    facts: { hasFinalError: true },
    to: '3Gi',
  },
  {
    when: 'the node is still at the last one',
    wants: '3Gi',
    volume: '2Gi',
    state: 'NodeResizePending',
    allocated: '2Gi',
    to: undefined,
  },
  {
    when: 'the node is at it, and the volume is behind',
    wants: '3Gi',
    volume: '1Gi',
    state: 'NodeResizeInProgress',
    allocated: '2Gi',
    to: '2Gi',
  },
  {
    when: 'the node cannot',
    wants: '3Gi',
    volume: '1Gi',
    state: 'NodeResizeInfeasible',
    allocated: '2Gi',
    to: '2Gi',
  },
  {
    when: 'the volume has grown and the node is to follow',
    wants: '2Gi',
    volume: '2Gi',
    state: 'NodeResizePending',
    allocated: '2Gi',
    to: undefined,
  },
  {
    when: 'the volume has grown and nobody wrote it down',
    wants: '2Gi',
    volume: '2Gi',
    state: 'ControllerResizeInProgress',
    allocated: '2Gi',
    to: '2Gi',
  },
  {
    when: 'the wish was made smaller after the volume grew',
    wants: '2Gi',
    volume: '3Gi',
    state: 'ControllerResizeInfeasible',
    allocated: '3Gi',
    to: '3Gi',
  },
  {
    when: 'the volume has grown and the node cannot',
    wants: '2Gi',
    volume: '2Gi',
    state: 'NodeResizeInfeasible',
    allocated: '2Gi',
    to: '2Gi',
  },
  {
    when: 'only nodes grow, and this one cannot',
    wants: '3Gi',
    volume: '3Gi',
    state: 'NodeResizeInfeasible',
    allocated: '2Gi',
    facts: { growsVolumes: false },
    to: '3Gi',
  },
  {
    when: 'an old server says it with a condition',
    wants: '2Gi',
    volume: '2Gi',
    conditions: ['FileSystemResizePending'],
    to: undefined,
  },
  { when: 'an old server says nothing', wants: '2Gi', volume: '2Gi', to: '2Gi' },
  { when: 'another driver has it', wants: '2Gi', volume: '1Gi', facts: { driver: 'b.csi' }, to: undefined },
];

for (const { when, wants, has = '1Gi', volume, state, allocated, conditions = [], facts = {}, to } of rows)
  test(`${to === undefined ? 'nothing' : `to ${to}`} when ${when}`, () => {
    const claim: Served<PersistentVolumeClaim> = served(PersistentVolumeClaim, {
      metadata: { name: 'c', namespace: 'd', uid: 'u' },
      spec: { volumeName: 'v', resources: { requests: { storage: wants } } },
      status: {
        phase: 'Bound',
        capacity: { storage: has },
        ...(state === undefined ? {} : { allocatedResourceStatuses: { storage: state } }),
        ...(allocated === undefined ? {} : { allocatedResources: { storage: allocated } }),
        conditions: conditions.map((type) => ({ type, status: 'True' })),
      },
    });
    const object: Served<PersistentVolume> = served(PersistentVolume, {
      spec: {
        capacity: { storage: volume },
        csi: { driver: 'a.csi', volumeHandle: 'h' },
        claimRef: { namespace: 'd', name: 'c', uid: 'u' },
      },
    });
    const base = { claim, volume: object, driver: 'a.csi', growsVolumes: true, hasFinalError: false };
    assert.equal(decideResize({ ...base, ...facts }), to);
  });

test('nothing when the claim is not bound to this volume', () => {
  const claim: Served<PersistentVolumeClaim> = served(PersistentVolumeClaim, {
    metadata: { uid: 'u', namespace: 'd' },
    spec: { resources: { requests: { storage: '2Gi' } } },
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  });
  const volume: Served<PersistentVolume> = served(PersistentVolume, {
    spec: { csi: { driver: 'a.csi', volumeHandle: 'h' }, claimRef: { uid: 'other', namespace: 'd' } },
  });
  const facts = { claim, volume, driver: 'a.csi', growsVolumes: true, hasFinalError: false };
  assert.equal(decideResize(facts), undefined);
});
