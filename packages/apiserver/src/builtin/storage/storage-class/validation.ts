import { FieldPath } from '@windlass/apimachinery';
import type { TopologySelectorTerm } from '@windlass/apimachinery/api/core/v1';
import type { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateParameters, validateProvisioner } from '../parameters.ts';

export const storageClassValidation: ValidationOf<StorageClass> = {
  create: validateStorageClass,
  update(object, old, findings) {
    for (const field of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const)
      findings.immutable(FieldPath.of(field), object[field], old[field]);
    validateStorageClass(object, findings);
  },
};

function validateStorageClass(object: View<StorageClass>, findings: Findings): void {
  const { provisioner = '', reclaimPolicy, volumeBindingMode: mode } = object;
  validateProvisioner(provisioner, FieldPath.of('provisioner'), findings);
  validateParameters(object.parameters ?? {}, FieldPath.of('parameters'), findings);
  if (reclaimPolicy !== '')
    findings.oneOf(FieldPath.of('reclaimPolicy'), reclaimPolicy, ['Delete', 'Retain']);
  if (mode === undefined) findings.required(FieldPath.of('volumeBindingMode'));
  else findings.oneOf(FieldPath.of('volumeBindingMode'), mode, ['Immediate', 'WaitForFirstConsumer']);
  validateTopologies(object.allowedTopologies ?? [], FieldPath.of('allowedTopologies'), findings);
}

function validateTopologies(
  terms: readonly View<TopologySelectorTerm>[],
  path: FieldPath,
  findings: Findings,
): void {
  const seen = new Set<string>();
  for (const [index, term] of terms.entries()) {
    const at = path.index(index).child('matchLabelExpressions');
    const raw = new Map<string, string[]>();
    for (const [place, { key = '', values }] of (term.matchLabelExpressions ?? []).entries()) {
      const where = at.index(place);
      const known = uniqueValues(values ?? [], where.child('values'), findings);
      findings.qualifiedName(where.child('key'), key);
      if (raw.has(key)) findings.duplicate(where.child('key'), key);
      raw.set(key, [...known].toSorted());
    }
    const text = JSON.stringify([...raw].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    // A term that asks for nothing is one too many from the first.
    if (raw.size === 0 || seen.has(text)) findings.duplicate(at, '');
    seen.add(text);
  }
}

function uniqueValues(values: readonly string[], path: FieldPath, findings: Findings): Set<string> {
  if (values.length === 0) findings.required(path);
  const known = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (known.has(value)) findings.duplicate(path.index(index), value);
    known.add(value);
  }
  return known;
}
