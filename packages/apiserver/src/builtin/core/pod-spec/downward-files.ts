import type { FieldPath } from '@windlass/apimachinery';
import type { DownwardAPIVolumeFile } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { validateMode, validateUnreservedPath } from '../../shared/file-paths.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateFieldReference, validateResourceReference } from './references.ts';

const FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** A file that tells a container something of its own pod. */
export function validateDownwardFile(
  { path: file = '', fieldRef: field, resourceFieldRef: resource, mode }: View<DownwardAPIVolumeFile>,
  path: FieldPath,
  findings: Findings,
): void {
  if (file === '') findings.required(path.child('path'));
  validateUnreservedPath(file, path.child('path'), findings);
  if (field !== undefined) {
    validateFieldReference(field, FIELDS, path.child('fieldRef'), findings);
    if (resource !== undefined)
      findings.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (resource !== undefined)
    validateResourceReference(resource, path.child('resourceFieldRef'), findings, true);
  else findings.required(path, 'one of fieldRef and resourceFieldRef is required');
  validateMode(mode, path.child('mode'), findings);
}
