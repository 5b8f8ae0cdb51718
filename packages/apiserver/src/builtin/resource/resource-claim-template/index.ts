import { ResourceClaimTemplate } from '@windlass/apimachinery/api/resource/v1';
import { defineKind } from '../../define-kind.ts';
import { setDeviceClaimDefaults } from '../shared/claim-defaults.ts';
import { resourceClaimTemplateValidation } from './validation.ts';

export const resourceClaimTemplate = defineKind(ResourceClaimTemplate, {
  strategy: { returnsDeletedObject: true },
  defaults: ({ spec }) => setDeviceClaimDefaults(spec?.spec?.devices),
  validation: resourceClaimTemplateValidation,
});
