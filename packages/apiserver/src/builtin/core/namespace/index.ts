import { validateLabelName } from '@windlass/apimachinery';
import { Namespace } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { restoreAllButMetadata } from '../../shared/part.ts';
import { setNamespaceDefaults } from './defaults.ts';
import { namespaceValidation, validateFinalize } from './validation.ts';

const FINALIZER = 'kubernetes';

export const namespace = defineKind(Namespace, {
  strategy: {
    validateName: validateLabelName,
    returnsDeletedObject: true,
    prepareForCreate(draft) {
      draft.status = { phase: 'Active' };
      // A name that the server has made up is known only now.
      setNamespaceDefaults(draft);
      draft.spec ??= {};
      const finalizers = draft.spec.finalizers ?? [];
      if (!finalizers.includes(FINALIZER)) draft.spec.finalizers = [...finalizers, FINALIZER];
    },
    prepareForUpdate(draft, old) {
      draft.spec ??= {};
      const finalizers = old.spec?.finalizers;
      if (finalizers) draft.spec.finalizers = [...finalizers];
      else delete draft.spec.finalizers;
    },
    parts: {
      // Whoever has cleaned up takes its finalizer off the list.
      finalize: {
        prepare(draft, old) {
          const asked = restoreAllButMetadata(draft, old);
          const finalizers = asked.spec?.finalizers ?? [];
          draft.spec ??= {};
          if (finalizers.length === 0) delete draft.spec.finalizers;
          else draft.spec.finalizers = finalizers;
        },
        validate: validateFinalize,
      },
    },
    isMarkedFirst: true,
    // The contents of a namespace are deleted by a controller, which then takes the finalizer off.
    holdsDeletion: ({ spec }) => (spec?.finalizers ?? []).length > 0,
    markDeleted({ metadata, ...object }) {
      // A namespace has no period to wait for, not even one that is over.
      const { deletionGracePeriodSeconds: _grace, ...marked } = metadata ?? {};
      return { ...object, metadata: marked, status: { ...object.status, phase: 'Terminating' } };
    },
  },
  defaults: setNamespaceDefaults,
  validation: namespaceValidation,
  printer: printer([column('Status'), AGE_COLUMN], (object, now) => [
    object.status?.phase ?? '',
    ageOf(object, now),
  ]),
  selectableFields: { 'status.phase': ({ status }) => status?.phase ?? '' },
  subresources: { finalize: { type: 'part' } },
});
