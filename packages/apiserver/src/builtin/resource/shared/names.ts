import { type FieldPath, validateCIdentifier } from '@windlass/apimachinery';
import { validateDriverName } from '../../shared/driver-name.ts';
import type { Findings } from '../../shared/findings.ts';
import { MAX_ID_LENGTH, MAX_POOL_NAME_LENGTH } from '../limits.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** One or more DNS subdomains with slashes between them. */
export function validatePoolName(name: string, path: FieldPath, findings: Findings): void {
  if (name === '') {
    findings.required(path);
    return;
  }
  if (Buffer.byteLength(name) > MAX_POOL_NAME_LENGTH) findings.tooLong(path, MAX_POOL_NAME_LENGTH);
  for (const part of name.split('/')) findings.subdomain(path, part);
}

/** The name of an attribute or a capacity: a C identifier, after a domain or without one. */
export function validateQualifiedDeviceName(name: string, path: FieldPath, findings: Findings): void {
  const [first = '', second, ...more] = name.split('/');
  if (second === undefined) validateId(first, path, findings);
  else if (more.length > 0) findings.invalid(path, name, 'must not contain more than one slash');
  else {
    if (first === '') findings.invalid(path, '', 'the domain must not be empty');
    else validateDriverName(first, path, findings);
    if (second === '') findings.invalid(path, '', 'the name must not be empty');
    else validateId(second, path, findings);
  }
}

/** As above, with a domain. */
export function validateFullyQualifiedName(name: string, path: FieldPath, findings: Findings): void {
  validateQualifiedDeviceName(name, path, findings);
  if (!name.includes('/'))
    findings.invalid(path, name, 'a fully qualified name must be a domain and a name separated by a slash');
}

function validateId(id: string, path: FieldPath, findings: Findings): void {
  if (Buffer.byteLength(id) > MAX_ID_LENGTH) findings.tooLong(path, MAX_ID_LENGTH);
  findings.problems(path, id, validateCIdentifier(id));
}

export function validateShareId(id: string, path: FieldPath, findings: Findings): void {
  if (!UUID.test(id))
    findings.invalid(
      path,
      id,
      'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters',
    );
}
