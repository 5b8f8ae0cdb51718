import { ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { setTemplateDefaults } from '../../core/pod-spec/defaults.ts';
import { REPLICA_COLUMNS, replicaCells } from '../../core/pod-spec/replica-columns.ts';
import { defineKind } from '../../define-kind.ts';
import { printer, selectorText } from '../../shared/columns.ts';
import { replicaSetValidation } from './validation.ts';

export const replicaSet = defineKind(ReplicaSet, {
  strategy: { generation: 'spec' },
  defaults(draft) {
    draft.spec ??= {};
    draft.spec.replicas ??= 1;
    setTemplateDefaults(draft.spec.template);
  },
  validation: replicaSetValidation,
  printer: printer(REPLICA_COLUMNS, (object, now) => [
    ...replicaCells(object, now),
    selectorText(object.spec?.selector ?? undefined),
  ]),
});
