// ConfigMaps and Secrets.
import { deepEqual, FieldPath, fieldTooLong, validateConfigMapKey } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt } from '../printers/columns.ts';
import { objectAt } from '../values.ts';
import type { Findings } from './findings.ts';
import { jsonProblem } from './json-problem.ts';
import type { ValidationsByKind } from './kind-validation.ts';

const DATA = FieldPath.of('data');
const MAX_BYTES = 1024 * 1024;
const FROZEN = 'field is immutable when `immutable` is set';

export const dataValidations: ValidationsByKind = {
  '/v1/ConfigMap': {
    create: validateConfigMap,
    update(object, old, findings) {
      validateFrozen(object, old, ['data', 'binaryData'], findings);
      validateConfigMap(object, findings);
    },
  },
  '/v1/Secret': {
    create: validateSecret,
    update(object, old, findings) {
      findings.immutable(FieldPath.of('type'), object['type'], old['type']);
      validateFrozen(object, old, ['data'], findings);
      validateSecret(object, findings);
    },
  },
};

function validateFrozen(object: Stored, old: Stored, fields: readonly string[], findings: Findings): void {
  if (old['immutable'] !== true) return;
  if (object['immutable'] !== true) findings.forbidden(FieldPath.of('immutable'), FROZEN);
  for (const field of fields)
    if (!deepEqual(object[field], old[field])) findings.forbidden(FieldPath.of(field), FROZEN);
}

function validateConfigMap(object: Stored, findings: Findings): void {
  const data = objectAt(object, 'data') ?? {};
  const binary = objectAt(object, 'binaryData') ?? {};
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    findings.problems(DATA.key(key), key, validateConfigMapKey(key));
    if (key in binary) findings.invalid(DATA.key(key), key, 'duplicate of key present in binaryData');
    bytes += Buffer.byteLength(String(value));
  }
  for (const [key, value] of Object.entries(binary)) {
    findings.problems(FieldPath.of('binaryData').key(key), key, validateConfigMapKey(key));
    bytes += Buffer.byteLength(String(value), 'base64');
  }
  if (bytes > MAX_BYTES) findings.add([fieldTooLong(undefined, MAX_BYTES)]);
}

function validateSecret(object: Stored, findings: Findings): void {
  const data = objectAt(object, 'data') ?? {};
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    findings.problems(DATA.key(key), key, validateConfigMapKey(key));
    bytes += Buffer.byteLength(String(value), 'base64');
  }
  if (bytes > MAX_BYTES) findings.tooLong(DATA, MAX_BYTES);
  const need = (key: string): void =>
    data[key] === undefined ? findings.required(DATA.key(key)) : undefined;
  switch (textAt(object, 'type')) {
    case 'kubernetes.io/service-account-token': {
      const name = 'kubernetes.io/service-account.name';
      if ((object.metadata?.annotations?.[name] ?? '') === '')
        findings.required(FieldPath.of('metadata', 'annotations').key(name));
      break;
    }
    case 'kubernetes.io/dockercfg':
      validateJson(data, '.dockercfg', findings);
      break;
    case 'kubernetes.io/dockerconfigjson':
      validateJson(data, '.dockerconfigjson', findings);
      break;
    case 'kubernetes.io/basic-auth':
      if (data['username'] === undefined && data['password'] === undefined) {
        need('username');
        need('password');
      }
      break;
    case 'kubernetes.io/ssh-auth':
      if (textAt(data, 'ssh-privatekey') === '') findings.required(DATA.key('ssh-privatekey'));
      break;
    case 'kubernetes.io/tls':
      need('tls.crt');
      need('tls.key');
      break;
    default:
  }
}

function validateJson(data: Readonly<Record<string, unknown>>, key: string, findings: Findings): void {
  if (data[key] === undefined) {
    findings.required(DATA.key(key));
    return;
  }
  const problem = jsonProblem(Buffer.from(textAt(data, key), 'base64').toString());
  if (problem !== undefined) findings.invalid(DATA.key(key), '<secret contents redacted>', problem);
}
