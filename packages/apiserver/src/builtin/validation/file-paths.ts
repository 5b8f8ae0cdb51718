// Paths below which a container sees files.
import type { FieldPath } from '@windlass/apimachinery';
import { textAt } from '../printers/columns.ts';
import type { Fields } from '../values.ts';
import type { Findings } from './findings.ts';

export function validateNoBacksteps(value: string, path: FieldPath, findings: Findings): void {
  if (value.split('/').includes('..')) findings.invalid(path, value, "must not contain '..'");
}

export function validateRelativePath(value: string, path: FieldPath, findings: Findings): void {
  if (value.startsWith('/')) findings.invalid(path, value, 'must be a relative path');
  validateNoBacksteps(value, path, findings);
}

/** Names that begin with two dots are the kubelet's own. */
export function validateUnreservedPath(value: string, path: FieldPath, findings: Findings): void {
  validateRelativePath(value, path, findings);
  if (value.startsWith('..') && !value.startsWith('../'))
    findings.invalid(path, value, "must not start with '..'");
}

export function validateMode(object: Fields, field: string, path: FieldPath, findings: Findings): void {
  const mode = object[field];
  if (typeof mode === 'number' && (mode < 0 || mode > 0o777))
    findings.invalid(path.child(field), mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

export function validateKeyToPath(item: Fields, path: FieldPath, findings: Findings): void {
  if (textAt(item, 'key') === '') findings.required(path.child('key'));
  if (textAt(item, 'path') === '') findings.required(path.child('path'));
  validateUnreservedPath(textAt(item, 'path'), path.child('path'), findings);
  validateMode(item, 'mode', path, findings);
}
