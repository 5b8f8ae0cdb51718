import { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import { defineKind } from '../../define-kind.ts';
import { setDeviceClaimDefaults } from '../shared/claim-defaults.ts';
import { resourceClaimPrinter } from './printer.ts';
import { dropDeallocatedDevices } from './status-devices.ts';
import { resourceClaimValidation } from './validation.ts';

export const resourceClaim = defineKind(ResourceClaim, {
  strategy: { returnsDeletedObject: true, prepareForStatusUpdate: dropDeallocatedDevices },
  defaults({ spec, status }) {
    setDeviceClaimDefaults(spec?.devices);
    for (const { tolerations } of status?.allocation?.devices?.results ?? [])
      for (const toleration of tolerations ?? []) toleration.operator ||= 'Equal';
  },
  validation: resourceClaimValidation,
  printer: resourceClaimPrinter,
});
