import { FieldPath, fieldTooLong, validateConfigMapKey } from '@windlass/apimachinery';
import type { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateFrozenData } from '../frozen-data.ts';

const DATA = FieldPath.of('data');
const BINARY = FieldPath.of('binaryData');
const MAX_BYTES = 1024 * 1024;

export const configMapValidation: ValidationOf<ConfigMap> = {
  create: validateConfigMap,
  update(object, old, findings) {
    validateFrozenData(object, old, ['data', 'binaryData'], findings);
    validateConfigMap(object, findings);
  },
};

function validateConfigMap({ data, binaryData }: View<ConfigMap>, findings: Findings): void {
  const binary = binaryData ?? {};
  let bytes = 0;
  for (const [key, value] of Object.entries(data ?? {})) {
    findings.problems(DATA.key(key), key, validateConfigMapKey(key));
    if (key in binary) findings.invalid(DATA.key(key), key, 'duplicate of key present in binaryData');
    bytes += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binary)) {
    findings.problems(BINARY.key(key), key, validateConfigMapKey(key));
    bytes += Buffer.byteLength(value, 'base64');
  }
  if (bytes > MAX_BYTES) findings.add([fieldTooLong(undefined, MAX_BYTES)]);
}
