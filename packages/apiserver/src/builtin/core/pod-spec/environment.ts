import {
  type FieldPath,
  validateConfigMapKey,
  validateRelaxedEnvVarName,
  validateSubdomainName,
} from '@windlass/apimachinery';
import type {
  Container,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  SecretKeySelector,
} from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
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
const ONE_AT_A_TIME = 'may not have more than one field specified at a time';

export function validateEnvironment(
  { env, envFrom }: View<Container>,
  path: FieldPath,
  findings: Findings,
): void {
  for (const [index, variable] of (env ?? []).entries())
    validateVariable(variable, path.child('env').index(index), findings);
  for (const [index, source] of (envFrom ?? []).entries())
    validateEnvFrom(source, path.child('envFrom'), index, findings);
}

function validateVariable(
  { name = '', value = '', valueFrom }: View<EnvVar>,
  path: FieldPath,
  findings: Findings,
): void {
  if (name === '') findings.required(path.child('name'));
  else findings.problems(path.child('name'), name, validateRelaxedEnvVarName(name));
  if (valueFrom === undefined) return;
  const at = path.child('valueFrom');
  const count = validateSources(valueFrom, at, findings);
  if (count === 0)
    findings.invalid(
      at,
      '',
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    );
  else if (value !== '') findings.invalid(at, '', 'may not be specified when `value` is not empty');
  else if (count > 1) findings.invalid(at, '', ONE_AT_A_TIME);
}

/** How many sources there are. */
function validateSources(source: View<EnvVarSource>, path: FieldPath, findings: Findings): number {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  if (fieldRef !== undefined) validateFieldReference(fieldRef, FIELDS, path.child('fieldRef'), findings);
  if (resourceFieldRef !== undefined)
    validateResourceReference(resourceFieldRef, path.child('resourceFieldRef'), findings, false);
  if (configMapKeyRef !== undefined) validateKey(configMapKeyRef, path.child('configMapKeyRef'), findings);
  if (secretKeyRef !== undefined) validateKey(secretKeyRef, path.child('secretKeyRef'), findings);
  if (fileKeyRef !== undefined) validateFileKey(fileKeyRef, path.child('fileKeyRef'), findings);
  const all = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef];
  return all.filter((reference) => reference !== undefined).length;
}

/** A key of a config map, or of a secret. */
function validateKey(
  { name = '', key = '' }: View<SecretKeySelector>,
  path: FieldPath,
  findings: Findings,
): void {
  findings.subdomain(path.child('name'), name);
  if (key === '') findings.required(path.child('key'));
  else findings.problems(path.child('key'), key, validateConfigMapKey(key));
}

function validateFileKey(
  { key = '', volumeName: volume = '', path: file = '' }: View<FileKeySelector>,
  path: FieldPath,
  findings: Findings,
): void {
  if (key === '') findings.required(path.child('key'));
  else findings.problems(path.child('key'), key, validateRelaxedEnvVarName(key));
  if (volume === '') findings.required(path.child('volumeName'));
  else findings.label(path.child('volumeName'), volume);
  if (file === '') findings.required(path.child('path'));
  else if (file.split('/').includes('..'))
    findings.invalid(path.child('path'), file, "must not contain '..'");
}

function validateEnvFrom(
  source: View<EnvFromSource>,
  path: FieldPath,
  index: number,
  findings: Findings,
): void {
  const at = path.index(index);
  const { prefix = '' } = source;
  if (prefix !== '') findings.problems(at.child('prefix'), prefix, validateRelaxedEnvVarName(prefix));
  let count = 0;
  for (const field of ['configMapRef', 'secretRef'] as const) {
    const reference = source[field];
    if (reference === undefined) continue;
    count++;
    const { name = '' } = reference;
    if (name === '') findings.required(at.child(field, 'name'));
    else findings.problems(at.child(field, 'name'), name, validateSubdomainName(name, true));
  }
  if (count === 0) findings.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
  else if (count > 1) findings.invalid(path, '', ONE_AT_A_TIME);
}
