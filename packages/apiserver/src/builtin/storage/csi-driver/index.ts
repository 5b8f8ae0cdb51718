import { deepEqual } from '@windlass/apimachinery';
import { CSIDriver } from '@windlass/apimachinery/api/storage/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { defineKind } from '../../define-kind.ts';
import { csiDriverPrinter } from './printer.ts';
import { csiDriverValidation } from './validation.ts';

export const csiDriver = defineKind(CSIDriver, {
  strategy: {
    allowUnconditionalUpdate: false,
    returnsDeletedObject: true,
    prepareForCreate: dropVolumeLimits,
    prepareForUpdate(draft, old) {
      dropVolumeLimits(draft);
      if (deepEqual(draft.spec, old.spec)) return;
      // The generation counts from nothing: a driver that was never changed has none.
      draft.metadata ??= {};
      draft.metadata.generation = (old.metadata?.generation ?? 0) + 1;
    },
  },
  defaults(draft) {
    draft.spec ??= {};
    const { spec } = draft;
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
  },
  validation: csiDriverValidation,
  printer: csiDriverPrinter,
});

/** Not served yet. */
function dropVolumeLimits({ spec }: DraftOf<CSIDriver>): void {
  delete spec?.preventPodSchedulingIfMissing;
}
