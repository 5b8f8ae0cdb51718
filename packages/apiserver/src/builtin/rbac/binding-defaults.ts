import { ClusterRole, type RoleBinding } from '@windlass/apimachinery/api/rbac/v1';
import type { DraftOf } from '../../resource/views.ts';

/** Bindings speak of the RBAC group unless they say otherwise. */
export function setBindingDefaults({
  roleRef,
  subjects,
}: Pick<DraftOf<RoleBinding>, 'roleRef' | 'subjects'>): void {
  const { group } = ClusterRole;
  if (roleRef !== undefined) roleRef.apiGroup ||= group;
  for (const subject of subjects ?? [])
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= group;
}
