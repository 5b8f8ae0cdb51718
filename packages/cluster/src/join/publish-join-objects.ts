import type { Transport } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@windlass/apimachinery/api/rbac/v1';
import type { Clock, Random } from '@windlass/base';
import { createClient } from '@windlass/client';
import { type JoinPlace, joinObjects } from './join-objects.ts';

const FORCE = { force: true } as const;

/**
 * Makes what is missing, and sets right what differs: the place may be another one at each start. What others added, as
 * the signatures of `cluster-info`, stays.
 */
export async function publishJoinObjects(
  transport: Transport,
  place: JoinPlace,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<void> {
  const client = createClient({ transport, clock, random, fieldManager: 'windlass-join' });
  const { clusterRoles, clusterRoleBindings, roles, roleBindings, configMaps } = joinObjects(place);
  await Promise.all([
    ...clusterRoles.map((one) => client.resource(ClusterRole).apply(one, FORCE)),
    ...clusterRoleBindings.map((one) => client.resource(ClusterRoleBinding).apply(one, FORCE)),
    ...roles.map((one) => client.resource(Role).apply(one, FORCE)),
    ...roleBindings.map((one) => client.resource(RoleBinding).apply(one, FORCE)),
    ...configMaps.map((one) => client.resource(ConfigMap).apply(one, FORCE)),
  ]);
}
