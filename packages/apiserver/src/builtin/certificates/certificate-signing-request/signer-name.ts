import {
  DNS1123_SUBDOMAIN_MAX_LENGTH,
  type FieldPath,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '@windlass/apimachinery';
import type { Findings } from '../../shared/findings.ts';

const FORM = "must be a fully qualified domain and path of the form 'example.com/signer-name'";

/** A signer's name is a domain of at least two labels, and a path. */
export function validateSignerName(path: FieldPath, name: string, findings: Findings): void {
  if (name === '') {
    findings.required(path);
    return;
  }
  const [domain = '', signer, ...more] = name.split('/');
  if (signer === undefined || more.length > 0) {
    findings.invalid(path, name, FORM);
    return;
  }
  if (domain.length > DNS1123_SUBDOMAIN_MAX_LENGTH) findings.tooLong(path, DNS1123_SUBDOMAIN_MAX_LENGTH);
  const labels = domain.split('.');
  validateParts(path, domain, labels, validateDns1123Label, findings);
  if (labels.length < 2)
    findings.invalid(path, domain, 'should be a domain with at least two segments separated by dots');
  validateParts(path, signer, signer.split('.'), validateDns1123Subdomain, findings);
}

/** Only the first part that is wrong is named: what follows it would read the same. */
function validateParts(
  path: FieldPath,
  whole: string,
  parts: readonly string[],
  problemsOf: (part: string) => readonly string[],
  findings: Findings,
): void {
  const wrong = parts.find((part) => problemsOf(part).length > 0);
  if (wrong === undefined) return;
  for (const problem of problemsOf(wrong))
    findings.invalid(path, whole, `validating label ${JSON.stringify(wrong)}: ${problem}`);
}
