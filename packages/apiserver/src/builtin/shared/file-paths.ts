// Paths below which a container sees files.
import type { FieldPath } from '@windlass/apimachinery';
import type { KeyToPath } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../resource/views.ts';
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

/** Absent is fine. */
export function validateMode(mode: number | undefined, path: FieldPath, findings: Findings): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777))
    findings.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

export function validateKeyToPath(
  { key = '', path: file = '', mode }: View<KeyToPath>,
  path: FieldPath,
  findings: Findings,
): void {
  if (key === '') findings.required(path.child('key'));
  if (file === '') findings.required(path.child('path'));
  validateUnreservedPath(file, path.child('path'), findings);
  validateMode(mode, path.child('mode'), findings);
}
