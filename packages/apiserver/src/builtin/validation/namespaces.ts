import { FieldPath } from '@windlass/apimachinery';
import { textAt, textsAt } from '../printers/columns.ts';
import { objectAt } from '../values.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';

const FINALIZERS = FieldPath.of('spec', 'finalizers');
const STANDARD = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

export const namespaceValidations: ValidationsByKind = {
  '/v1/Namespace': {
    create(object, findings) {
      for (const finalizer of textsAt(objectAt(object, 'spec'), 'finalizers'))
        validateFinalizer(finalizer, FINALIZERS, findings);
    },
    update: () => {},
    status(object, _old, findings) {
      const phase = textAt(objectAt(object, 'status') ?? {}, 'phase');
      const path = FieldPath.of('status', 'Phase');
      if (object.metadata?.deletionTimestamp === undefined) {
        if (phase !== 'Active')
          findings.invalid(path, phase, "may only be 'Active' if `deletionTimestamp` is empty");
      } else if (phase !== 'Terminating')
        findings.invalid(path, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty");
    },
  },
};

/** Finalizers of the spec, as `/finalize` writes them. */
export function validateFinalizers(finalizers: readonly string[], findings: Findings): void {
  for (const [index, finalizer] of finalizers.entries())
    validateFinalizer(finalizer, FINALIZERS.index(index), findings);
}

export function validateFinalizer(finalizer: string, path: FieldPath, findings: Findings): void {
  findings.qualifiedName(path, finalizer);
  validateKnownFinalizer(finalizer, path, findings);
}

/** Only the built-in ones have no domain. */
export function validateKnownFinalizer(finalizer: string, path: FieldPath, findings: Findings): void {
  if (!finalizer.includes('/') && !STANDARD.has(finalizer))
    findings.invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
}
