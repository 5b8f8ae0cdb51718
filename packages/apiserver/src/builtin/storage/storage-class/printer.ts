import type { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { View } from '../../../resource/views.ts';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, NAME_COLUMN, nameOf, UNSET } from '../../shared/columns.ts';

const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const storageClassPrinter: PrinterOf<StorageClass> = {
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
    object.provisioner ?? '',
    object.reclaimPolicy || 'Delete',
    object.volumeBindingMode || UNSET,
    object.allowVolumeExpansion ?? false,
    ageOf(object, now),
  ],
};

function isDefaultClass({ metadata }: View<StorageClass>): boolean {
  return DEFAULT_CLASS.some((name) => metadata?.annotations?.[name] === 'true');
}
