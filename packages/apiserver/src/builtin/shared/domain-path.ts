import { type FieldPath, validateDns1123Subdomain } from '@windlass/apimachinery';
import type { Findings } from './findings.ts';

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** `example.com/path/...` */
export function validateDomainPath(value: string, path: FieldPath, findings: Findings): void {
  if (value === '') {
    findings.required(path);
    return;
  }
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1) {
    findings.invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")');
    return;
  }
  const [domain, rest] = [value.slice(0, slash), value.slice(slash + 1)];
  findings.problems(path, domain, validateDns1123Subdomain(domain));
  if (!new RegExp(`^${PATH}$`).test(rest))
    findings.invalid(path, rest, `Invalid path (regex used for validation is '${PATH}')`);
}
