import { FieldPath } from '@windlass/apimachinery';
import type { ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import type { ValidationOf } from '../../define-kind.ts';
import { validateReplicaCounts } from '../../shared/replica-counts.ts';
import { validateReplicas } from '../replicas-validation.ts';
import { validateSameSelector } from '../selection.ts';

export const replicaSetValidation: ValidationOf<ReplicaSet> = {
  create: ({ spec = {} }, findings) => validateReplicas(spec, findings),
  update(object, old, findings) {
    validateReplicas(object.spec ?? {}, findings);
    validateSameSelector(object, old, findings);
  },
  status({ status = {} }, _old, findings) {
    const counts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
    validateReplicaCounts(status, counts, 'readyReplicas', findings);
    findings.notNegative(FieldPath.of('status', 'terminatingReplicas'), status.terminatingReplicas);
  },
};
