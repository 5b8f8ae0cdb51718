import { type FieldError, FieldPath, fieldForbidden, newInvalid } from '@windlass/apimachinery';
import type { DeviceRequest, DeviceRequestAllocationResult } from '@windlass/apimachinery/api/resource/v1';
import { ResourceClaim, ResourceClaimTemplate } from '@windlass/apimachinery/api/resource/v1';
import type { Store } from '../../storage/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { isOf, isOfKind, objectOf, oldObjectOf } from '../request-kind.ts';

const LABEL = 'resource.kubernetes.io/admin-access';

/** Devices that others have are for administrators only: their namespaces bear a label that says so. */
export function deviceAdminAccess({ store }: { readonly store: Store }): AdmissionPlugin {
  return {
    name: 'DeviceAdminAccess',
    handles: (request) =>
      isOf(request, ResourceClaim, ['CREATE']) ||
      isOf(request, ResourceClaimTemplate, ['CREATE']) ||
      isStatusOfClaim(request),
    async validate(request) {
      const path = adminAccessOf(request);
      if (path === undefined) return;
      const { definition, namespace, name } = request;
      const found = await store.get(`//namespaces/${namespace}`);
      if (found?.object.metadata?.labels?.[LABEL] === 'true') return;
      const error: FieldError = fieldForbidden(
        path,
        `admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`,
      );
      throw newInvalid({ group: definition.group, kind: definition.kind }, name, [error]);
    },
  };
}

export function isStatusOfClaim(request: AdmissionRequest): boolean {
  return (
    isOfKind(request, ResourceClaim) && request.subresource === 'status' && request.operation === 'UPDATE'
  );
}

/** Where the first access as an administrator is asked for, or newly given. */
function adminAccessOf(request: AdmissionRequest): FieldPath | undefined {
  if (isStatusOfClaim(request)) {
    const before = oldObjectOf(request, ResourceClaim).status?.allocation?.devices?.results ?? [];
    // What is allocated stays as it was.
    if (before.some(isAdmin)) return undefined;
    const results = objectOf(request, ResourceClaim).status?.allocation?.devices?.results ?? [];
    const index = results.findIndex(isAdmin);
    const at = FieldPath.of('status', 'allocation', 'devices', 'results');
    return index < 0 ? undefined : at.index(index).child('adminAccess');
  }
  const isTemplate = isOfKind(request, ResourceClaimTemplate);
  const devices = isTemplate
    ? objectOf(request, ResourceClaimTemplate).spec?.spec?.devices
    : objectOf(request, ResourceClaim).spec?.devices;
  const index = (devices?.requests ?? []).findIndex(asksForAdmin);
  const at = isTemplate ? FieldPath.of('spec', 'spec') : FieldPath.of('spec');
  return index < 0 ? undefined : at.child('devices', 'requests').index(index).child('exactly', 'adminAccess');
}

function isAdmin({ adminAccess }: Pick<DeviceRequestAllocationResult, 'adminAccess'>): boolean {
  return adminAccess === true;
}

function asksForAdmin({ exactly }: DeviceRequest): boolean {
  return exactly?.adminAccess === true;
}
