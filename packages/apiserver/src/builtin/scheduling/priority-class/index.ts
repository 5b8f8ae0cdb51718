import { PriorityClass } from '@windlass/apimachinery/api/scheduling/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { priorityClassValidation } from './validation.ts';

export const priorityClass = defineKind(PriorityClass, {
  strategy: { generation: () => false },
  defaults(priority) {
    priority.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  validation: priorityClassValidation,
  printer: printer(
    [column('Value', 'integer'), column('Global-Default', 'boolean'), AGE_COLUMN, column('PreemptionPolicy')],
    (priority, now) => [
      priority.value ?? 0,
      priority.globalDefault ?? false,
      ageOf(priority, now),
      priority.preemptionPolicy ?? '',
    ],
  ),
});
