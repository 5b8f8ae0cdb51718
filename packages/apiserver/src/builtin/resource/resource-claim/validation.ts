import { FieldPath } from '@windlass/apimachinery';
import type { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import type { ValidationOf } from '../../define-kind.ts';
import { validateDeviceClaim } from '../shared/device-claim.ts';
import { validateClaimStatus } from './status-validation.ts';

const SPEC = FieldPath.of('spec');

export const resourceClaimValidation: ValidationOf<ResourceClaim> = {
  create: ({ spec }, findings) => validateDeviceClaim(spec?.devices ?? {}, SPEC.child('devices'), findings),
  update: (claim, old, findings) => findings.immutable(SPEC, claim.spec, old.spec),
  status: validateClaimStatus,
};
