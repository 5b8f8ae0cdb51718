import { FieldPath } from '@windlass/apimachinery';
import type { IPAddress, ParentReference } from '@windlass/apimachinery/api/networking/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { strictIpProblem } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';

const PARENT = FieldPath.of('spec', 'parentRef');

/** The name is the address itself, in the one form that it has. */
export function validateAddressName(name: string): string[] {
  const problem = strictIpProblem(name);
  return problem === undefined ? [] : [problem];
}

export const ipAddressValidation: ValidationOf<IPAddress> = {
  create: ({ spec }, findings) => validateParent(spec?.parentRef, findings),
  update: ({ spec }, old, findings) => findings.immutable(PARENT, spec?.parentRef, old.spec?.parentRef),
};

function validateParent(parent: View<ParentReference> | undefined, findings: Findings): void {
  if (parent === undefined) {
    findings.required(PARENT);
    return;
  }
  const { group = '', namespace = '' } = parent;
  if (group !== '') findings.subdomain(PARENT.child('group'), group);
  for (const field of ['resource', 'name'] as const) {
    const value = parent[field] ?? '';
    if (value === '') findings.required(PARENT.child(field));
    else findings.pathSegment(PARENT.child(field), value);
  }
  if (namespace !== '') findings.pathSegment(PARENT.child('namespace'), namespace);
}
