// What classes of volumes say to the driver that provides them.
import type { FieldPath } from '@windlass/apimachinery';
import type { Findings } from '../shared/findings.ts';

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;

export function validateProvisioner(name: string, path: FieldPath, findings: Findings): void {
  if (name === '') findings.required(path);
  else findings.qualifiedName(path, name.toLowerCase());
}

export function validateParameters(
  parameters: Readonly<Record<string, string>>,
  path: FieldPath,
  findings: Findings,
): void {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) {
    findings.tooLong(path, MAX_PARAMETERS);
    return;
  }
  let bytes = 0;
  for (const [key, value] of entries) {
    if (key === '') findings.invalid(path, key, 'field can not be empty.');
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > MAX_PARAMETER_BYTES) findings.tooLong(path, MAX_PARAMETER_BYTES);
}
