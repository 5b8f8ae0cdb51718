import { type FieldPath, validateDns1123Subdomain } from '@windlass/apimachinery';
import type { Findings } from './findings.ts';

const MAX_LENGTH = 63;

/** The name of a CSI driver; capitals are read as small letters. */
export function validateDriverName(name: string, path: FieldPath, findings: Findings): void {
  if (name === '') {
    findings.required(path);
    return;
  }
  if (Buffer.byteLength(name) > MAX_LENGTH) findings.tooLong(path, MAX_LENGTH);
  findings.problems(path, name, validateDns1123Subdomain(name.toLowerCase()));
}
