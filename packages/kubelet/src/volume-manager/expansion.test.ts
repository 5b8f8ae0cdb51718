import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeClaimStatus,
} from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { awaitsNode, grownStatus, grownTo } from './expansion.ts';
import { CSI_PLUGIN, type CsiVolume, csiName } from './volume.ts';

function volume(size: string, status: PersistentVolumeClaimStatus, isReadOnly = false): CsiVolume {
  return {
    kind: 'csi',
    name: 'data',
    specName: 'pv',
    plugin: CSI_PLUGIN,
    uniqueName: csiName('d', 'h'),
    csi: { driver: 'd', handle: 'h', isInline: false },
    source: { driver: 'd', volumeHandle: 'h' },
    volume: served(PersistentVolume, { spec: { capacity: { storage: size } } }),
    claim: served(PersistentVolumeClaim, { status }),
    isReadOnly,
    isAttachable: false,
    isRepublished: false,
  };
}

describe('a volume has grown', () => {
  const rows: [name: string, volume: CsiVolume, expected: string | undefined][] = [
    ['when it has more than its claim knows', volume('2Gi', { capacity: { storage: '1Gi' } }), '2Gi'],
    [
      'not when both say the same in other words',
      volume('1Gi', { capacity: { storage: '1024Mi' } }),
      undefined,
    ],
    ['not when the claim has more', volume('1Gi', { capacity: { storage: '2Gi' } }), undefined],
    ['not when nobody knows what the claim has', volume('1Gi', {}), undefined],
    ['not for who only reads', volume('2Gi', { capacity: { storage: '1Gi' } }, true), undefined],
    [
      'not when it never will',
      volume('2Gi', {
        capacity: { storage: '1Gi' },
        allocatedResourceStatuses: { storage: 'NodeResizeInfeasible' },
      }),
      undefined,
    ],
  ];
  for (const [name, given, expected] of rows) it(name, () => assert.equal(grownTo(given), expected));
});

it('a claim that has grown keeps the conditions of others', () => {
  const status: PersistentVolumeClaimStatus = {
    capacity: { storage: '1Gi' },
    allocatedResourceStatuses: { storage: 'NodeResizePending' },
    conditions: [
      { type: 'FileSystemResizePending', status: 'True' },
      { type: 'ModifyingVolume', status: 'True' },
    ],
  };
  assert.ok(awaitsNode({ status }));
  assert.deepEqual(grownStatus({ status }, '2Gi'), {
    capacity: { storage: '2Gi' },
    conditions: [{ type: 'ModifyingVolume', status: 'True' }],
    allocatedResourceStatuses: { storage: null },
  });
  assert.equal(awaitsNode({ status: { capacity: { storage: '1Gi' } } }), false);
});
