import { FieldPath } from '@windlass/apimachinery';
import { ClusterRole, type RoleBinding, type Subject } from '@windlass/apimachinery/api/rbac/v1';
import type { View } from '../../resource/views.ts';
import type { Findings } from '../shared/findings.ts';
import type { KindValidation } from '../shared/kind-validation.ts';

type Binding = Pick<View<RoleBinding>, 'roleRef' | 'subjects'>;

const GROUP = ClusterRole.group;
const ROLE = FieldPath.of('roleRef');
const SUBJECTS = FieldPath.of('subjects');

/** For bindings within a namespace, or for those of the cluster. */
export function bindingValidation({
  isNamespaced,
}: {
  readonly isNamespaced: boolean;
}): KindValidation<Binding> {
  const create = (binding: Binding, findings: Findings): void =>
    validateBinding(binding, isNamespaced, findings);
  return {
    create,
    update(binding, old, findings) {
      create(binding, findings);
      const [now, before] = [binding.roleRef ?? {}, old.roleRef ?? {}];
      if (
        (['apiGroup', 'kind', 'name'] as const).some((field) => (now[field] ?? '') !== (before[field] ?? ''))
      )
        findings.invalid(ROLE, now, 'cannot change roleRef');
    },
  };
}

function validateBinding({ roleRef, subjects }: Binding, isNamespaced: boolean, findings: Findings): void {
  const { apiGroup = '', kind = '', name = '' } = roleRef ?? {};
  findings.oneOf(ROLE.child('apiGroup'), apiGroup, [GROUP]);
  findings.oneOf(ROLE.child('kind'), kind, isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']);
  if (name === '') findings.required(ROLE.child('name'));
  else findings.pathSegment(ROLE.child('name'), name);
  for (const [index, subject] of (subjects ?? []).entries())
    validateSubject(subject, isNamespaced, SUBJECTS.index(index), findings);
}

function validateSubject(
  { kind = '', name = '', apiGroup = '', namespace = '' }: View<Subject>,
  isNamespaced: boolean,
  path: FieldPath,
  findings: Findings,
): void {
  if (name === '') findings.required(path.child('name'));
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') findings.subdomain(path.child('name'), name);
      if (apiGroup !== '') findings.notSupported(path.child('apiGroup'), apiGroup, ['']);
      if (!isNamespaced && namespace === '') findings.required(path.child('namespace'));
      break;
    case 'User':
    case 'Group':
      findings.oneOf(path.child('apiGroup'), apiGroup, [GROUP]);
      break;
    default:
      findings.notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']);
  }
}
