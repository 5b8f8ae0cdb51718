import { ServiceCIDR } from '@windlass/apimachinery/api/networking/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { serviceCidrValidation } from './validation.ts';

export const serviceCidr = defineKind(ServiceCIDR, {
  validation: serviceCidrValidation,
  printer: printer([column('CIDRs'), AGE_COLUMN], (object, now) => [
    (object.spec?.cidrs ?? []).join(','),
    ageOf(object, now),
  ]),
});
