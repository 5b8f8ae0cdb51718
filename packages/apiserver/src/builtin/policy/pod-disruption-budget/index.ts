import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import { defineKind } from '../../define-kind.ts';
import { validatePathSegment } from '../../shared/names.ts';
import { budgetPrinter } from './printer.ts';
import { budgetValidation } from './validation.ts';

export const podDisruptionBudget = defineKind(PodDisruptionBudget, {
  strategy: {
    allowUnconditionalUpdate: false,
    generation: 'spec',
    validateName: validatePathSegment,
    validatesMetadataLast: true,
  },
  validation: budgetValidation,
  printer: budgetPrinter,
  anyFinalizers: true,
});
