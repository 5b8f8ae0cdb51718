import { Job } from '@windlass/apimachinery/api/batch/v1';
import { defineKind } from '../../define-kind.ts';
import { setJobDefaults } from './defaults.ts';
import { setJobSelector } from './labels.ts';
import { jobPrinter } from './printer.ts';
import { jobValidation } from './validation.ts';

export const job = defineKind(Job, {
  strategy: {
    generation: 'spec',
    defaultDeletion: 'orphan-dependents',
    prepareForCreate: setJobSelector,
  },
  defaults: setJobDefaults,
  validation: jobValidation,
  printer: jobPrinter,
  selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
});
