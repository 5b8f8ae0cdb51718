import { PriorityLevelConfiguration } from '@windlass/apimachinery/api/flowcontrol/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, NONE, printer } from '../../shared/columns.ts';
import { setPriorityLevelDefaults } from './defaults.ts';
import { priorityLevelValidation } from './validation.ts';

export const priorityLevelConfiguration = defineKind(PriorityLevelConfiguration, {
  strategy: { generation: 'spec' },
  defaults: setPriorityLevelDefaults,
  validation: priorityLevelValidation,
  printer: printer(
    [
      column('Type'),
      column('NominalConcurrencyShares'),
      column('Queues'),
      column('HandSize'),
      column('QueueLengthLimit'),
      AGE_COLUMN,
    ],
    (level, now) => {
      const { type = '', limited, exempt } = level.spec ?? {};
      const shares = limited ?? exempt;
      const queuing = limited?.limitResponse?.queuing;
      return [
        type,
        shares === undefined ? NONE : (shares.nominalConcurrencyShares ?? 0),
        queuing === undefined ? NONE : (queuing.queues ?? 0),
        queuing === undefined ? NONE : (queuing.handSize ?? 0),
        queuing === undefined ? NONE : (queuing.queueLengthLimit ?? 0),
        ageOf(level, now),
      ];
    },
  ),
});
