import type { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer, UNSET, wide } from '../../shared/columns.ts';
import { accessModesText } from '../access-modes.ts';
import { classText, phaseText, storageText } from '../volume-columns.ts';

export const claimPrinter: PrinterOf<PersistentVolumeClaim> = printer(
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
  (claim, now) => {
    const { spec = {}, status = {} } = claim;
    const { volumeName: volume = '' } = spec;
    return [
      phaseText(claim),
      volume,
      volume === '' ? '' : storageText(status.capacity),
      volume === '' ? '' : accessModesText(status.accessModes),
      classText(claim),
      spec.volumeAttributesClassName || UNSET,
      ageOf(claim, now),
      spec.volumeMode || UNSET,
    ];
  },
);
