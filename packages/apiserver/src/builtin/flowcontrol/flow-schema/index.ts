import { FlowSchema } from '@windlass/apimachinery/api/flowcontrol/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, conditionOf, NONE, printer } from '../../shared/columns.ts';
import { flowSchemaValidation } from './validation.ts';

export const flowSchema = defineKind(FlowSchema, {
  strategy: { generation: 'spec' },
  defaults({ spec }) {
    if (spec !== undefined) spec.matchingPrecedence ||= 1000;
  },
  validation: flowSchemaValidation,
  printer: printer(
    [
      column('PriorityLevel'),
      column('MatchingPrecedence'),
      column('DistinguisherMethod'),
      AGE_COLUMN,
      column('MissingPL'),
    ],
    (schema, now) => [
      schema.spec?.priorityLevelConfiguration?.name ?? '',
      schema.spec?.matchingPrecedence ?? 0,
      schema.spec?.distinguisherMethod?.type || NONE,
      ageOf(schema, now),
      conditionOf(schema.status?.conditions, 'Dangling')?.status || '?',
    ],
  ),
});
