import { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { roundResources } from '../resource-lists.ts';
import { alignDataSources } from './data-sources.ts';
import { claimPrinter } from './printer.ts';
import { claimValidation } from './validation.ts';

export const persistentVolumeClaim = defineKind(PersistentVolumeClaim, {
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate(draft) {
      draft.status = { phase: 'Pending' };
      draft.spec ??= {};
      alignDataSources(draft.spec, undefined);
    },
    prepareForUpdate(draft, old) {
      draft.spec ??= {};
      alignDataSources(draft.spec, old.spec);
    },
  },
  defaults(draft) {
    draft.spec ??= {};
    draft.status ??= {};
    roundResources(draft.spec.resources, 'limits', 'requests');
    roundResources(draft.status, 'capacity', 'allocatedResources');
    draft.spec.volumeMode ??= 'Filesystem';
    draft.status.phase ||= 'Pending';
  },
  validation: claimValidation,
  printer: claimPrinter,
});
