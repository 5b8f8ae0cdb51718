import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { defineKind } from '../../define-kind.ts';
import { storageClassPrinter } from './printer.ts';
import { storageClassValidation } from './validation.ts';

export const storageClass = defineKind(StorageClass, {
  strategy: { returnsDeletedObject: true },
  defaults(draft) {
    draft.reclaimPolicy ??= 'Delete';
    draft.volumeBindingMode ??= 'Immediate';
  },
  validation: storageClassValidation,
  printer: storageClassPrinter,
});
