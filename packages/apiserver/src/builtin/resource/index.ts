import type { BuiltinKind } from '../define-kind.ts';
import { deviceClass } from './device-class/index.ts';
import { resourceClaim } from './resource-claim/index.ts';
import { resourceClaimTemplate } from './resource-claim-template/index.ts';
import { resourceSlice } from './resource-slice/index.ts';

export const resourceKinds: readonly BuiltinKind[] = [
  deviceClass,
  resourceClaim,
  resourceClaimTemplate,
  resourceSlice,
];
