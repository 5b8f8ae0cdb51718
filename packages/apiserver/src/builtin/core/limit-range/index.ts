import { LimitRange } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { namedAndDated } from '../../shared/columns.ts';
import { setLimitRangeDefaults } from './defaults.ts';
import { limitRangeValidation } from './validation.ts';

export const limitRange = defineKind(LimitRange, {
  strategy: {
    allowCreateOnUpdate: true,
    // This is the only kind that needs no name.
    prepareForCreate(draft, { random }) {
      draft.metadata ??= {};
      draft.metadata.name ||= random.uuid();
    },
  },
  defaults: setLimitRangeDefaults,
  validation: limitRangeValidation,
  printer: namedAndDated,
});
