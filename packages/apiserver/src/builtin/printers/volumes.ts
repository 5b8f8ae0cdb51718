import { canonicalQuantity } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  NAME_COLUMN,
  NONE,
  namedAndDated,
  nameOf,
  type Printers,
  printer,
  textAt,
  textsAt,
  UNSET,
  wide,
} from './columns.ts';

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
/** In the order in which they are shown. */
const MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

export const volumePrinters: Printers = {
  '/v1/PersistentVolume': printer(
    [
      column('Capacity'),
      column('Access Modes'),
      column('Reclaim Policy'),
      column('Status'),
      column('Claim'),
      column('StorageClass'),
      column('VolumeAttributesClass'),
      column('Reason'),
      AGE_COLUMN,
      wide('VolumeMode'),
    ],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      const claim = objectAt(spec, 'claimRef');
      return [
        storageOf(objectAt(spec, 'capacity')),
        accessModes(textsAt(spec, 'accessModes')),
        textAt(spec, 'persistentVolumeReclaimPolicy'),
        phaseOf(object),
        claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`,
        classOf(object),
        textAt(spec, 'volumeAttributesClassName', UNSET),
        textAt(objectAt(object, 'status'), 'reason'),
        ageOf(object, now),
        textAt(spec, 'volumeMode', UNSET),
      ];
    },
  ),
  '/v1/PersistentVolumeClaim': printer(
    [
      column('Status'),
      column('Volume'),
      column('Capacity'),
      column('Access Modes'),
      column('StorageClass'),
      column('VolumeAttributesClass'),
      AGE_COLUMN,
      wide('VolumeMode'),
    ],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      const status = objectAt(object, 'status');
      const volume = textAt(spec, 'volumeName');
      return [
        phaseOf(object),
        volume,
        volume === '' ? '' : storageOf(objectAt(status, 'capacity')),
        volume === '' ? '' : accessModes(textsAt(status, 'accessModes')),
        classOf(object),
        textAt(spec, 'volumeAttributesClassName', UNSET),
        ageOf(object, now),
        textAt(spec, 'volumeMode', UNSET),
      ];
    },
  ),
  'storage.k8s.io/v1/StorageClass': {
    columns: [
      NAME_COLUMN,
      column('Provisioner'),
      column('ReclaimPolicy'),
      column('VolumeBindingMode'),
      column('AllowVolumeExpansion'),
      AGE_COLUMN,
    ],
    cells: (object, now) => [
      isDefaultClass(object) ? `${nameOf(object)} (default)` : nameOf(object),
      textAt(object, 'provisioner'),
      textAt(object, 'reclaimPolicy', 'Delete'),
      textAt(object, 'volumeBindingMode', UNSET),
      object['allowVolumeExpansion'] === true,
      ageOf(object, now),
    ],
  },
  'storage.k8s.io/v1/CSIDriver': printer(
    [
      column('AttachRequired', 'boolean'),
      column('PodInfoOnMount', 'boolean'),
      column('StorageCapacity', 'boolean'),
      column('TokenRequests'),
      column('RequiresRepublish', 'boolean'),
      column('Modes'),
      AGE_COLUMN,
    ],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      const modes = textsAt(spec, 'volumeLifecycleModes');
      const tokens = objectsAt(spec, 'tokenRequests').map((request) => textAt(request, 'audience'));
      return [
        spec?.['attachRequired'] !== false,
        spec?.['podInfoOnMount'] === true,
        spec?.['storageCapacity'] === true,
        spec?.['tokenRequests'] === undefined ? UNSET : tokens.join(','),
        spec?.['requiresRepublish'] === true,
        modes.length === 0 ? NONE : modes.join(','),
        ageOf(object, now),
      ];
    },
  ),
  'storage.k8s.io/v1/CSINode': printer([column('Drivers', 'integer'), AGE_COLUMN], (object, now) => [
    objectsAt(objectAt(object, 'spec'), 'drivers').length,
    ageOf(object, now),
  ]),
  'storage.k8s.io/v1/VolumeAttachment': printer(
    [
      { ...column('Attacher'), format: 'name' },
      column('PV'),
      column('Node'),
      column('Attached', 'boolean'),
      AGE_COLUMN,
    ],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      return [
        textAt(spec, 'attacher'),
        textAt(objectAt(spec, 'source'), 'persistentVolumeName'),
        textAt(spec, 'nodeName'),
        objectAt(object, 'status')?.['attached'] === true,
        ageOf(object, now),
      ];
    },
  ),
  'storage.k8s.io/v1/VolumeAttributesClass': printer([column('DriverName'), AGE_COLUMN], (object, now) => [
    textAt(object, 'driverName'),
    ageOf(object, now),
  ]),
  'storage.k8s.io/v1/CSIStorageCapacity': namedAndDated,
};

function storageOf(list: Fields | undefined): string {
  const value = list?.['storage'];
  return typeof value === 'string' || typeof value === 'number' ? canonicalQuantity(value) : '0';
}

function accessModes(modes: readonly string[]): string {
  return MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

function phaseOf(object: Stored): string {
  return object.metadata?.deletionTimestamp === undefined
    ? textAt(objectAt(object, 'status'), 'phase')
    : 'Terminating';
}

function classOf(object: Stored): string {
  const annotated = object.metadata?.annotations?.[CLASS_ANNOTATION];
  return annotated ?? textAt(objectAt(object, 'spec'), 'storageClassName');
}

function isDefaultClass(object: Stored): boolean {
  return DEFAULT_CLASS.some((name) => object.metadata?.annotations?.[name] === 'true');
}
