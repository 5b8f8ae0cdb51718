import { type FieldPath, validateDns1123Label, validateDns1123Subdomain } from '@windlass/apimachinery';
import type { ServiceAccountSubject, Subject } from '@windlass/apimachinery/api/flowcontrol/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

/** The field of each kind. A subject has the one of its own kind and no other. */
const FIELDS = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;
type SubjectKind = keyof typeof FIELDS;
/** In the order in which those of other kinds are told. */
const OTHERS: Readonly<Record<SubjectKind, readonly SubjectKind[]>> = {
  ServiceAccount: ['User', 'Group'],
  User: ['ServiceAccount', 'Group'],
  Group: ['ServiceAccount', 'User'],
};

export function validateSubject(subject: View<Subject>, path: FieldPath, findings: Findings): void {
  const { kind = '' } = subject;
  if (!isSubjectKind(kind)) {
    findings.notSupported(path.child('kind'), kind, ['Group', 'ServiceAccount', 'User']);
    return;
  }
  const field = FIELDS[kind];
  const own = subject[field];
  if (own === undefined)
    findings.required(path.child(field), `${field} is required when subject kind is '${kind}'`);
  else if (kind === 'ServiceAccount')
    validateServiceAccount(subject.serviceAccount ?? {}, path.child(field), findings);
  else if ((own.name ?? '') === '') findings.required(path.child(field, 'name'));
  for (const other of OTHERS[kind])
    if (subject[FIELDS[other]] !== undefined)
      findings.forbidden(
        path.child(FIELDS[other]),
        `${FIELDS[other]} is forbidden when subject kind is not '${other}'`,
      );
}

function isSubjectKind(kind: string): kind is SubjectKind {
  return Object.hasOwn(FIELDS, kind);
}

function validateServiceAccount(
  { name = '', namespace = '' }: View<ServiceAccountSubject>,
  path: FieldPath,
  findings: Findings,
): void {
  if (name === '') findings.required(path.child('name'));
  else if (name !== '*') findings.problems(path.child('name'), name, validateDns1123Subdomain(name));
  if (namespace === '')
    findings.required(path.child('namespace'), 'must specify namespace for service account');
  else findings.problems(path.child('namespace'), namespace, validateDns1123Label(namespace));
}
