import { FieldPath, selectorFromLabels } from '@windlass/apimachinery';
import type { ReplicationController } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateReplicaCounts } from '../../shared/replica-counts.ts';
import { validateTemplate } from '../pod-spec/template.ts';
import { refuseLabels, validateAlwaysRestarted } from '../pod-spec/workload-rules.ts';

const SPEC = FieldPath.of('spec');

export const replicationControllerValidation: ValidationOf<ReplicationController> = {
  create: validateReplicationController,
  status: ({ status }, _old, findings) =>
    validateReplicaCounts(
      status ?? {},
      ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      'readyReplicas',
      findings,
    ),
};

function validateReplicationController({ spec = {} }: View<ReplicationController>, findings: Findings): void {
  const { template } = spec;
  const selector = spec.selector ?? {};
  findings.noneNegative(SPEC, spec, ['minReadySeconds', 'replicas']);
  const isEmpty = Object.keys(selector).length === 0;
  if (isEmpty) findings.required(SPEC.child('selector'));
  if (template === undefined) {
    findings.required(SPEC.child('template'));
    return;
  }
  const labels = template.metadata?.labels ?? {};
  if (!isEmpty && !selectorFromLabels(selector).matches(labels)) refuseLabels(template, findings);
  validateTemplate(template, SPEC.child('template'), findings);
  validateAlwaysRestarted(template, 'ReplicationController', findings);
}
