import { validateLabelName } from '@windlass/apimachinery';
import { StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { CONTAINER_COLUMNS, containerCells } from '../../core/pod-spec/columns.ts';
import { readyText } from '../../core/pod-spec/replica-columns.ts';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { setStatefulSetDefaults } from './defaults.ts';
import { statefulSetValidation } from './validation.ts';

export const statefulSet = defineKind(StatefulSet, {
  strategy: { validateName: validateLabelName, generation: 'spec' },
  defaults: setStatefulSetDefaults,
  validation: statefulSetValidation,
  printer: printer([column('Ready'), AGE_COLUMN, ...CONTAINER_COLUMNS], (object, now) => [
    readyText(object),
    ageOf(object, now),
    ...containerCells(object.spec?.template?.spec),
  ]),
});
