import { CSINode } from '@windlass/apimachinery/api/storage/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { csiNodeValidation } from './validation.ts';

export const csiNode = defineKind(CSINode, {
  strategy: { allowUnconditionalUpdate: false, returnsDeletedObject: true },
  validation: csiNodeValidation,
  printer: printer([column('Drivers', 'integer'), AGE_COLUMN], (object, now) => [
    (object.spec?.drivers ?? []).length,
    ageOf(object, now),
  ]),
});
