import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import {
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeSpec,
  Pod,
} from '@windlass/apimachinery/api/core/v1';
import { CSIDriver } from '@windlass/apimachinery/api/storage/v1';
import { served } from '@windlass/apimachinery/testing';
import { CSI_PLUGIN, type CsiVolume, csiName, type InlineCsiVolume } from '../volume.ts';
import {
  accessMode,
  attachmentName,
  capabilityOf,
  givesToGroup,
  inlineHandle,
  podInfo,
} from './csi-request.ts';
import type { DriverAbilities } from './driver-registry.ts';

const NONE: DriverAbilities = {
  stages: false,
  expands: false,
  hasStats: false,
  hasSingleWriterModes: false,
  mountsForGroup: false,
};

function volume(
  spec: Partial<PersistentVolumeSpec>,
  { fsType, isReadOnly = false }: { fsType?: string; isReadOnly?: boolean } = {},
): CsiVolume {
  return {
    kind: 'csi',
    name: 'data',
    specName: 'pv',
    plugin: CSI_PLUGIN,
    uniqueName: csiName('d', 'h'),
    csi: { driver: 'd', handle: 'h', isInline: false },
    source: { driver: 'd', volumeHandle: 'h', ...(fsType !== undefined && { fsType }) },
    volume: served(PersistentVolume, { spec }),
    claim: served(PersistentVolumeClaim, {}),
    isReadOnly,
    isAttachable: false,
    isRepublished: false,
  };
}

const inline: InlineCsiVolume = {
  kind: 'inline',
  name: 'data',
  specName: 'data',
  plugin: CSI_PLUGIN,
  uniqueName: 'x',
  csi: { driver: 'd', handle: 'h', isInline: true },
  source: { driver: 'd', fsType: 'xfs' },
  isRepublished: false,
  isReadOnly: false,
};

const driver = (spec: CSIDriver['spec']): Served<CSIDriver> => served(CSIDriver, { spec });

describe('access modes', () => {
  const rows = [
    ['ReadWriteOnce', 'SINGLE_NODE_WRITER', 'SINGLE_NODE_MULTI_WRITER'],
    ['ReadWriteOncePod', 'SINGLE_NODE_WRITER', 'SINGLE_NODE_SINGLE_WRITER'],
    ['ReadOnlyMany', 'MULTI_NODE_READER_ONLY', 'MULTI_NODE_READER_ONLY'],
    ['ReadWriteMany', 'MULTI_NODE_MULTI_WRITER', 'MULTI_NODE_MULTI_WRITER'],
  ] as const;
  for (const [mode, plain, refined] of rows)
    it(mode, () => {
      assert.equal(accessMode(mode, NONE), plain);
      assert.equal(accessMode(mode, { ...NONE, hasSingleWriterModes: true }), refined);
    });
});

it('the group is told to drivers that mount for one', () => {
  const pod = served(Pod, { spec: { containers: [], securityContext: { fsGroup: 1000 } } });
  const given = volume({ accessModes: ['ReadWriteOnce'], mountOptions: ['ro'] }, { fsType: 'xfs' });
  assert.deepEqual(capabilityOf(given, pod, NONE).mount, {
    fsType: 'xfs',
    mountFlags: ['ro'],
    volumeMountGroup: '',
  });
  assert.equal(capabilityOf(given, pod, { ...NONE, mountsForGroup: true }).mount.volumeMountGroup, '1000');
});

describe('files are given to the group of the pod', () => {
  const once = { accessModes: ['ReadWriteOnce'] };
  const many = { accessModes: ['ReadWriteMany'] };
  const rows: [
    name: string,
    given: CsiVolume | InlineCsiVolume,
    about: Served<CSIDriver> | undefined,
    expected: boolean,
  ][] = [
    ['by default with a file system and one writer', volume(once, { fsType: 'xfs' }), undefined, true],
    ['by default not without a file system', volume(once), undefined, false],
    ['by default not for many writers', volume(many, { fsType: 'xfs' }), undefined, false],
    ['by default in a volume of the pod itself', inline, undefined, true],
    ['always when the driver says File', volume(many), driver({ fsGroupPolicy: 'File' }), true],
    ['never when it says None', volume(once, { fsType: 'xfs' }), driver({ fsGroupPolicy: 'None' }), false],
    [
      'never for readers',
      volume(once, { fsType: 'xfs', isReadOnly: true }),
      driver({ fsGroupPolicy: 'File' }),
      false,
    ],
  ];
  for (const [name, given, about, expected] of rows)
    it(name, () => assert.equal(givesToGroup(given, about), expected));
});

it('a driver is told of the pod only when it asks', () => {
  const pod = served(Pod, {
    metadata: { name: 'p', namespace: 'n', uid: 'u' },
    spec: { containers: [], serviceAccountName: 's' },
  });
  assert.deepEqual(podInfo(pod, inline, undefined), {});
  assert.deepEqual(podInfo(pod, inline, driver({ podInfoOnMount: true })), {
    'csi.storage.k8s.io/pod.name': 'p',
    'csi.storage.k8s.io/pod.namespace': 'n',
    'csi.storage.k8s.io/pod.uid': 'u',
    'csi.storage.k8s.io/serviceAccount.name': 's',
    'csi.storage.k8s.io/ephemeral': 'true',
  });
});

it('names are hashes that others compute, too', () => {
  // sha256 of "hdn" and of "un".
  assert.equal(
    attachmentName('h', 'd', 'n'),
    'csi-9072ed11cc1acb5fa433a877ff339b6311d013f33bddd1d0092711a8ace5b16d',
  );
  assert.equal(
    inlineHandle('u', 'n'),
    'csi-68bca10eea2ba33f6f15a6ab0c7df2a49051a6541f9118d468b0585d5d60398b',
  );
});
