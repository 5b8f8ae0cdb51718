import {
  type FieldPath,
  validateConfigMapKey,
  validateRelaxedEnvVarName,
  validateSubdomainName,
} from '@windlass/apimachinery';
import { textAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import type { Findings } from '../findings.ts';
import { validateFieldReference, validateResourceReference } from './references.ts';

const FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const ONE_AT_A_TIME = 'may not have more than one field specified at a time';

export function validateEnvironment(container: Fields, path: FieldPath, findings: Findings): void {
  for (const [index, variable] of objectsAt(container, 'env').entries()) {
    const at = path.child('env').index(index);
    const name = textAt(variable, 'name');
    if (name === '') findings.required(at.child('name'));
    else findings.problems(at.child('name'), name, validateRelaxedEnvVarName(name));
    const source = objectAt(variable, 'valueFrom');
    if (source !== undefined) validateValueFrom(variable, source, at.child('valueFrom'), findings);
  }
  for (const [index, source] of objectsAt(container, 'envFrom').entries())
    validateEnvFrom(source, path.child('envFrom'), index, findings);
}

function validateValueFrom(variable: Fields, source: Fields, path: FieldPath, findings: Findings): void {
  const present = SOURCES.filter((name) => objectAt(source, name) !== undefined);
  for (const name of present) {
    const reference = objectAt(source, name) ?? {};
    const at = path.child(name);
    if (name === 'fieldRef') validateFieldReference(reference, FIELDS, at, findings);
    else if (name === 'resourceFieldRef') validateResourceReference(reference, at, findings, false);
    else if (name === 'fileKeyRef') validateFileKey(reference, at, findings);
    else validateKey(reference, at, findings);
  }
  if (present.length === 0)
    findings.invalid(
      path,
      '',
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    );
  else if (textAt(variable, 'value') !== '')
    findings.invalid(path, '', 'may not be specified when `value` is not empty');
  else if (present.length > 1) findings.invalid(path, '', ONE_AT_A_TIME);
}

function validateKey(reference: Fields, path: FieldPath, findings: Findings): void {
  findings.subdomain(path.child('name'), textAt(reference, 'name'));
  const key = textAt(reference, 'key');
  if (key === '') findings.required(path.child('key'));
  else findings.problems(path.child('key'), key, validateConfigMapKey(key));
}

function validateFileKey(reference: Fields, path: FieldPath, findings: Findings): void {
  const [key, volume, file] = ['key', 'volumeName', 'path'].map((field) => textAt(reference, field));
  if (key === '') findings.required(path.child('key'));
  else findings.problems(path.child('key'), key, validateRelaxedEnvVarName(key ?? ''));
  if (volume === '') findings.required(path.child('volumeName'));
  else findings.label(path.child('volumeName'), volume ?? '');
  if (file === '') findings.required(path.child('path'));
  else if (file?.split('/').includes('..'))
    findings.invalid(path.child('path'), file, "must not contain '..'");
}

function validateEnvFrom(source: Fields, path: FieldPath, index: number, findings: Findings): void {
  const at = path.index(index);
  const prefix = textAt(source, 'prefix');
  if (prefix !== '') findings.problems(at.child('prefix'), prefix, validateRelaxedEnvVarName(prefix));
  let count = 0;
  for (const field of ['configMapRef', 'secretRef']) {
    const reference = objectAt(source, field);
    if (reference === undefined) continue;
    count++;
    const name = textAt(reference, 'name');
    if (name === '') findings.required(at.child(field, 'name'));
    else findings.problems(at.child(field, 'name'), name, validateSubdomainName(name, true));
  }
  if (count === 0) findings.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
  else if (count > 1) findings.invalid(path, '', ONE_AT_A_TIME);
}
