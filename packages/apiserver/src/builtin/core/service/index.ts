import { validateLabelName } from '@windlass/apimachinery';
import { Service } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { setServiceDefaults } from './defaults.ts';
import { servicePrinter } from './printer.ts';
import { serviceValidation } from './validation.ts';

export const service = defineKind(Service, ({ connect }) => ({
  strategy: { validateName: validateLabelName, allowCreateOnUpdate: true, returnsDeletedObject: true },
  defaults: setServiceDefaults,
  validation: serviceValidation,
  printer: servicePrinter,
  selectableFields: {
    'spec.clusterIP': ({ spec }) => spec?.clusterIP ?? '',
    'spec.type': ({ spec }) => spec?.type ?? '',
  },
  subresources: { ...connect?.services },
}));
