import { RuntimeClass } from '@windlass/apimachinery/api/node/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { runtimeClassValidation } from './validation.ts';

export const runtimeClass = defineKind(RuntimeClass, {
  strategy: { allowUnconditionalUpdate: false, allowCreateOnUpdate: true },
  validation: runtimeClassValidation,
  anyFinalizers: true,
  printer: printer([column('Handler'), AGE_COLUMN], (object, now) => [
    object.handler ?? '',
    ageOf(object, now),
  ]),
});
