import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import type { ActualVolume, MountState } from './actual-state.ts';
import type { DesiredMount } from './desired-state.ts';
import { nextOperations, type VolumeOperation } from './next-operations.ts';
import { CSI_PLUGIN, type CsiVolume, csiName, podLocalName, type WantedVolume } from './volume.ts';

const csiVolume: CsiVolume = {
  kind: 'csi',
  name: 'data',
  specName: 'pv',
  plugin: CSI_PLUGIN,
  uniqueName: csiName('d', 'h'),
  csi: { driver: 'd', handle: 'h', isInline: false },
  source: { driver: 'd', volumeHandle: 'h' },
  volume: served(PersistentVolume, { spec: { capacity: { storage: '1Gi' } } }),
  claim: served(PersistentVolumeClaim, { status: { capacity: { storage: '1Gi' } } }),
  isReadOnly: false,
  isAttachable: false,
  isRepublished: false,
};
const attachable: CsiVolume = { ...csiVolume, isAttachable: true };
const grown: CsiVolume = {
  ...csiVolume,
  volume: served(PersistentVolume, { spec: { capacity: { storage: '2Gi' } } }),
};
const settings: WantedVolume = {
  kind: 'pod-local',
  name: 'settings',
  specName: 'settings',
  plugin: 'kubernetes.io/configmap',
  uniqueName: podLocalName('kubernetes.io/configmap', 'a', 'settings'),
  source: { name: 'settings', configMap: { name: 'settings' } },
  isReadOnly: false,
};

const desired = (volume: WantedVolume, ...uids: string[]): ReadonlyMap<string, DesiredMount> =>
  new Map(uids.map((uid) => [uid, { uid, pod: served(Pod, { metadata: { uid } }), volume }]));

type Mounts = Readonly<Record<string, MountState | 'remount'>>;

function actual(device: ActualVolume['device'], mounts: Mounts, isAttached = false): ActualVolume {
  return {
    identity: csiVolume,
    isAttachable: undefined,
    isAttached,
    device,
    isDeviceReconstructed: false,
    pods: new Map(
      Object.entries(mounts).map(([uid, state]) => [
        uid,
        {
          uid,
          specName: 'pv',
          state: state === 'remount' ? 'mounted' : state,
          isReconstructed: false,
          needsRemount: state === 'remount',
        },
      ]),
    ),
  };
}

const text = (operation: VolumeOperation): string =>
  'uid' in operation ? `${operation.do} ${operation.uid}` : operation.do;

describe('the next operations of a volume', () => {
  const rows: [
    name: string,
    wanted: ReadonlyMap<string, DesiredMount>,
    is: ActualVolume | undefined,
    undecided: string[],
    expected: string[],
  ][] = [
    ['nothing wanted, nothing there', new Map(), undefined, [], []],
    ['a device comes before the pod', desired(csiVolume, 'a'), undefined, [], ['mountDevice a']],
    [
      'an uncertain device is mounted again',
      desired(csiVolume, 'a'),
      actual('uncertain', {}),
      [],
      ['mountDevice a'],
    ],
    ['then each pod', desired(csiVolume, 'a', 'b'), actual('mounted', {}), [], ['mount a', 'mount b']],
    [
      'only pods that lack it',
      desired(csiVolume, 'a', 'b'),
      actual('mounted', { a: 'mounted' }),
      [],
      ['mount b'],
    ],
    [
      'an uncertain mount again',
      desired(csiVolume, 'a'),
      actual('mounted', { a: 'uncertain' }),
      [],
      ['mount a'],
    ],
    [
      'what is to be shown anew',
      desired(csiVolume, 'a'),
      actual('mounted', { a: 'remount' }),
      [],
      ['mount a'],
    ],
    ['all is well', desired(csiVolume, 'a'), actual('mounted', { a: 'mounted' }), [], []],
    [
      'who goes goes first',
      desired(csiVolume, 'b'),
      actual('mounted', { a: 'mounted' }),
      [],
      ['unmount a', 'mount b'],
    ],
    ['a pod that left keeps the device', new Map(), actual('mounted', { a: 'mounted' }), [], ['unmount a']],
    ['an uncertain one, too', new Map(), actual('mounted', { a: 'uncertain' }), [], ['unmount a']],
    ['the device goes last', new Map(), actual('mounted', {}), [], ['unmountDevice']],
    ['also one that may not be there', new Map(), actual('uncertain', {}), [], ['unmountDevice']],
    ['no device, no pods', new Map(), actual('none', {}), [], []],
    ['who may stay keeps its mount', new Map(), actual('uncertain', { a: 'uncertain' }), ['a'], []],
    [
      'beside one that goes',
      new Map(),
      actual('uncertain', { a: 'uncertain', b: 'uncertain' }),
      ['a'],
      ['unmount b'],
    ],
    ['attached before all else', desired(attachable, 'a'), undefined, [], ['attach a']],
    ['then as any other', desired(attachable, 'a'), actual('none', {}, true), [], ['mountDevice a']],
    ['without a device', desired(settings, 'a'), undefined, [], ['mount a']],
    ['grown, but not mounted', desired(grown, 'a'), actual('mounted', {}), [], ['mount a']],
    [
      'grown under a pod',
      desired(grown, 'a', 'b'),
      actual('mounted', { a: 'mounted', b: 'mounted' }),
      [],
      ['expand a'],
    ],
  ];
  for (const [name, wanted, is, undecided, expected] of rows)
    it(name, () => {
      const operations = nextOperations({
        desired: wanted,
        actual: is,
        isUndecided: (uid) => undecided.includes(uid),
      });
      assert.deepEqual(operations.map(text), expected);
    });
});
