import { type FieldError, FieldPath } from '@windlass/apimachinery';
import type { Namespace } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { validateFinalizer } from '../../shared/finalizers.ts';
import { Findings } from '../../shared/findings.ts';

const FINALIZERS = FieldPath.of('spec', 'finalizers');

export const namespaceValidation: ValidationOf<Namespace> = {
  create({ spec }, findings) {
    for (const finalizer of spec?.finalizers ?? []) validateFinalizer(finalizer, FINALIZERS, findings);
  },
  update: () => {},
  status({ metadata, status }, _old, findings) {
    const phase = status?.phase ?? '';
    const path = FieldPath.of('status', 'Phase');
    if (metadata?.deletionTimestamp === undefined) {
      if (phase !== 'Active')
        findings.invalid(path, phase, "may only be 'Active' if `deletionTimestamp` is empty");
    } else if (phase !== 'Terminating')
      findings.invalid(path, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty");
  },
};

/** A write through `/finalize`. */
export function validateFinalize({ spec }: View<Namespace>): FieldError[] {
  const findings = new Findings();
  for (const [index, finalizer] of (spec?.finalizers ?? []).entries())
    validateFinalizer(finalizer, FINALIZERS.index(index), findings);
  return findings.errors;
}
