import type { PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer, UNSET, wide } from '../../shared/columns.ts';
import { accessModesText } from '../access-modes.ts';
import { classText, phaseText, storageText } from '../volume-columns.ts';

export const volumePrinter: PrinterOf<PersistentVolume> = printer(
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
  (volume, now) => {
    const { spec = {}, status } = volume;
    const { claimRef: claim } = spec;
    return [
      storageText(spec.capacity),
      accessModesText(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? '',
      phaseText(volume),
      claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
      classText(volume),
      spec.volumeAttributesClassName || UNSET,
      status?.reason ?? '',
      ageOf(volume, now),
      spec.volumeMode || UNSET,
    ];
  },
);
