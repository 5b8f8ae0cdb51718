import { FieldPath } from '@windlass/apimachinery';
import type { ReplicaSetSpec } from '@windlass/apimachinery/api/apps/v1';
import type { View } from '../../resource/views.ts';
import { validateTemplate } from '../core/pod-spec/template.ts';
import { validateAlwaysRestarted } from '../core/pod-spec/workload-rules.ts';
import type { Findings } from '../shared/findings.ts';
import { validateSelection } from './selection.ts';

const SPEC = FieldPath.of('spec');

/** What replica sets say of their pods, and deployments with them. */
export function validateReplicas(spec: View<ReplicaSetSpec>, findings: Findings): void {
  findings.noneNegative(SPEC, spec, ['replicas', 'minReadySeconds']);
  // Upstream says so of both.
  if (!validateSelection(spec, 'deployment', 'invalid label selector', findings)) return;
  validateTemplate(spec.template, SPEC.child('template'), findings);
  validateAlwaysRestarted(spec.template, 'ReplicaSet', findings);
}
