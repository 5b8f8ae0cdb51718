import { IPAddress } from '@windlass/apimachinery/api/networking/v1';
import { defineKind } from '../../define-kind.ts';
import { ageOf, column, printer } from '../../shared/columns.ts';
import { ipAddressValidation, validateAddressName } from './validation.ts';

export const ipAddress = defineKind(IPAddress, {
  strategy: { validateName: validateAddressName },
  validation: ipAddressValidation,
  printer: printer([column('ParentRef')], (address, now) => {
    const { group = '', resource = '', namespace = '', name = '' } = address.spec?.parentRef ?? {};
    const path = [`${resource}${group === '' ? '' : `.${group}`}`, namespace, name];
    // There is no column for the age; upstream gives the cell all the same.
    return [path.filter((part) => part !== '').join('/'), ageOf(address, now)];
  }),
});
