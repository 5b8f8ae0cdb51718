import { Endpoints } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { endpointsPrinter } from './printer.ts';
import { endpointsValidation } from './validation.ts';

export const endpoints = defineKind(Endpoints, {
  strategy: { allowCreateOnUpdate: true },
  defaults({ subsets }) {
    for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= 'TCP';
  },
  validation: endpointsValidation,
  printer: endpointsPrinter,
});
