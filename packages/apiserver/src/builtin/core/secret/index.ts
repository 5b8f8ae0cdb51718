import { Secret } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { setSecretDefaults } from './defaults.ts';
import { secretValidation } from './validation.ts';

export const secret = defineKind(Secret, {
  strategy: { emptyMaps: { fields: ['data'], isFrozen: ({ immutable }) => immutable === true } },
  defaults: setSecretDefaults,
  validation: secretValidation,
  printer: printer([column('Type'), column('Data'), AGE_COLUMN], (object, now) => [
    object.type ?? '',
    Object.keys(object.data ?? {}).length,
    ageOf(object, now),
  ]),
  selectableFields: { type: ({ type }) => type ?? '' },
});
