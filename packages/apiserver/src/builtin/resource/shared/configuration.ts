import { encodeJson, type FieldPath } from '@windlass/apimachinery';
import type { OpaqueDeviceConfiguration } from '@windlass/apimachinery/api/resource/v1';
import { isRecord } from '@windlass/base';
import type { View } from '../../../resource/views.ts';
import { validateDriverName } from '../../shared/driver-name.ts';
import type { Findings } from '../../shared/findings.ts';
import { MAX_OPAQUE_LENGTH } from '../limits.ts';

/** Parameters of a driver, of which the server knows only that they are an object. */
export function validateConfiguration(
  { opaque }: { readonly opaque?: View<OpaqueDeviceConfiguration> },
  path: FieldPath,
  findings: Findings,
  isStored = false,
): void {
  const at = path.child('opaque');
  if (opaque === undefined) {
    findings.required(at);
    return;
  }
  validateDriverName(opaque.driver ?? '', at.child('driver'), findings);
  const max = isStored ? Number.POSITIVE_INFINITY : MAX_OPAQUE_LENGTH;
  validateRawObject(opaque.parameters, max, at.child('parameters'), findings);
}

export function validateRawObject(value: unknown, max: number, path: FieldPath, findings: Findings): void {
  if (value === undefined || value === null) findings.required(path);
  else if (Buffer.byteLength(encodeJson(value)) > max) findings.tooLong(path, max);
  else if (!isRecord(value)) findings.invalid(path, '<value omitted>', 'must be a valid JSON object');
}
