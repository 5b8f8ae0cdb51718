import { formatTime } from '@windlass/apimachinery';
import { PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { setVolumeDefaults } from './defaults.ts';
import { volumePrinter } from './printer.ts';
import { volumeValidation } from './validation.ts';

export const persistentVolume = defineKind(PersistentVolume, {
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate(draft, { clock }) {
      draft.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(clock.now()) };
    },
    prepareForStatusUpdate(draft, old, { clock }) {
      draft.status ??= {};
      const { status } = draft;
      const { phase, lastPhaseTransitionTime: last } = old.status ?? {};
      if (last !== undefined) status.lastPhaseTransitionTime ??= last;
      // Unless the client names another time, a new phase begins now.
      if (status.phase !== phase && status.lastPhaseTransitionTime === last)
        status.lastPhaseTransitionTime = formatTime(clock.now());
    },
  },
  defaults: setVolumeDefaults,
  validation: volumeValidation,
  printer: volumePrinter,
});
