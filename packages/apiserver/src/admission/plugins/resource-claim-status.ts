import {
  type DeepReadonly,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldForbidden,
  newInvalid,
} from '@windlass/apimachinery';
import {
  type AllocatedDeviceStatus,
  type AllocationResult,
  ResourceClaim,
} from '@windlass/apimachinery/api/resource/v1';
import type { Authorizer } from '../../access/authorizer.ts';
import { splitServiceAccountUser } from '../../access/service-account-name.ts';
import type { UserInfo } from '../../access/user.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { objectOf, oldObjectOf } from '../request-kind.ts';
import { isStatusOfClaim } from './device-admin-access.ts';

type Devices = readonly DeepReadonly<AllocatedDeviceStatus>[];
/** What a driver may write of claims on its own node, and of claims anywhere. */
type Scope = 'associated-node:' | 'arbitrary-node:';

const STATUS = FieldPath.of('status');
const NODE_NAME = 'authentication.kubernetes.io/node-name';
/** Admission does not know whether a write was a PUT or a PATCH. Who may do one of them may do the other. */
const VERBS = ['update', 'patch'];

/**
 * Who may write the status of a claim may not therefore write all of it: the allocation is the scheduler's, which
 * has `resourceclaims/binding`, and each driver has its own devices, with `resourceclaims/driver` of its name.
 */
export function resourceClaimStatus({ authorizer }: { readonly authorizer: Authorizer }): AdmissionPlugin {
  return {
    name: 'ResourceClaimStatus',
    handles: isStatusOfClaim,
    validate(request) {
      const errors = refusals(request, authorizer);
      if (errors.length === 0) return;
      const { definition, name } = request;
      throw newInvalid({ group: definition.group, kind: definition.kind }, name, errors);
    },
  };
}

function refusals(request: AdmissionRequest, authorizer: Authorizer): FieldError[] {
  const [now, before] = [
    objectOf(request, ResourceClaim).status ?? {},
    oldObjectOf(request, ResourceClaim).status ?? {},
  ];
  const { user } = request.context;
  const isAllowed = (prefix: Scope | '', subresource: string, namespace: string, name: string): boolean =>
    VERBS.some(
      (verb) =>
        authorizer.authorize({
          user,
          verb: `${prefix}${verb}`,
          isResourceRequest: true,
          group: ResourceClaim.group,
          version: ResourceClaim.version,
          resource: ResourceClaim.plural,
          subresource,
          namespace,
          name,
          path: '',
        }).isAllowed,
    );
  const errors: FieldError[] = [];
  const isBound =
    !deepEqual(now.allocation, before.allocation) ||
    !deepEqual(now.reservedFor ?? [], before.reservedFor ?? []);
  if (isBound && !isAllowed('', 'binding', '', ''))
    errors.push(
      fieldForbidden(
        STATUS,
        'changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="update" permission',
      ),
    );
  const scopes: readonly Scope[] = isOnNodeOf(user, now.allocation)
    ? ['associated-node:', 'arbitrary-node:']
    : ['arbitrary-node:'];
  for (const driver of changedDrivers(now.devices ?? [], before.devices ?? []))
    if (!scopes.some((scope) => isAllowed(scope, 'driver', request.namespace, driver)))
      errors.push(
        fieldForbidden(
          STATUS.child('devices'),
          `changing status.devices requires resource="resourceclaims/driver", verb="[${scopes.map((scope) => `${scope}update`).join(' ')}]" permission`,
        ),
      );
  return errors;
}

/** The drivers of entries that are new, changed or gone, in order. */
function changedDrivers(now: Devices, before: Devices): string[] {
  const changed = (some: Devices, others: Devices): string[] =>
    some.filter((one) => !others.some((other) => deepEqual(one, other))).map(({ driver }) => driver);
  return [...new Set([...changed(now, before), ...changed(before, now)])].toSorted();
}

/** Whether somebody speaks for a pod on the one node that the claim is for. */
function isOnNodeOf(user: UserInfo, allocation: DeepReadonly<AllocationResult> | undefined): boolean {
  const [term, ...others] = allocation?.nodeSelector?.nodeSelectorTerms ?? [];
  const [field, ...more] = term?.matchFields ?? [];
  if (field === undefined || others.length + more.length + (term?.matchExpressions ?? []).length > 0)
    return false;
  const [node] = field.values ?? [];
  const isOneNode = field.key === 'metadata.name' && field.operator === 'In' && field.values?.length === 1;
  const names = user.extra?.[NODE_NAME] ?? [];
  return (
    isOneNode && splitServiceAccountUser(user.name) !== undefined && names.length === 1 && names[0] === node
  );
}
