import { FieldPath, validateConfigMapKey } from '@windlass/apimachinery';
import type { Secret } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateFrozenData } from '../frozen-data.ts';
import { jsonProblem } from './json-problem.ts';

const DATA = FieldPath.of('data');
const ACCOUNT = 'kubernetes.io/service-account.name';
const MAX_BYTES = 1024 * 1024;

export const secretValidation: ValidationOf<Secret> = {
  create: validateSecret,
  update(object, old, findings) {
    findings.immutable(FieldPath.of('type'), object.type, old.type);
    validateFrozenData(object, old, ['data'], findings);
    validateSecret(object, findings);
  },
};

function validateSecret(secret: View<Secret>, findings: Findings): void {
  const data = secret.data ?? {};
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    findings.problems(DATA.key(key), key, validateConfigMapKey(key));
    bytes += Buffer.byteLength(value, 'base64');
  }
  if (bytes > MAX_BYTES) findings.tooLong(DATA, MAX_BYTES);
  const need = (key: string): void =>
    data[key] === undefined ? findings.required(DATA.key(key)) : undefined;
  switch (secret.type) {
    case 'kubernetes.io/service-account-token':
      if ((secret.metadata?.annotations?.[ACCOUNT] ?? '') === '')
        findings.required(FieldPath.of('metadata', 'annotations').key(ACCOUNT));
      break;
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
      if ((data['ssh-privatekey'] ?? '') === '') findings.required(DATA.key('ssh-privatekey'));
      break;
    case 'kubernetes.io/tls':
      need('tls.crt');
      need('tls.key');
      break;
    default:
  }
}

function validateJson(data: Readonly<Record<string, string>>, key: string, findings: Findings): void {
  const encoded = data[key];
  if (encoded === undefined) {
    findings.required(DATA.key(key));
    return;
  }
  const problem = jsonProblem(Buffer.from(encoded, 'base64').toString());
  if (problem !== undefined) findings.invalid(DATA.key(key), '<secret contents redacted>', problem);
}
