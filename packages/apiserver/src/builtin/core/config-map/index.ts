import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { configMapValidation } from './validation.ts';

export const configMap = defineKind(ConfigMap, {
  strategy: {
    emptyMaps: { fields: ['data', 'binaryData'], isFrozen: ({ immutable }) => immutable === true },
  },
  validation: configMapValidation,
  printer: printer([column('Data'), AGE_COLUMN], (object, now) => [
    Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
    ageOf(object, now),
  ]),
});
