import type { FieldPath } from '@windlass/apimachinery';
import type { Findings } from './findings.ts';

const STANDARD = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

export function validateFinalizer(finalizer: string, path: FieldPath, findings: Findings): void {
  findings.qualifiedName(path, finalizer);
  validateKnownFinalizer(finalizer, path, findings);
}

/** Only the built-in finalizers have no domain. */
export function validateKnownFinalizer(finalizer: string, path: FieldPath, findings: Findings): void {
  if (!finalizer.includes('/') && !STANDARD.has(finalizer))
    findings.invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
}
