import { type FieldPath, validateAnnotations, validateLabels } from '@windlass/apimachinery';
import type { PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validatePodAnnotations } from './annotations.ts';
import { validatePodSpec } from './validation.ts';

/** What a workload says of its pods. */
export function validateTemplate(
  template: View<PodTemplateSpec> | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  const { metadata = {}, spec = {} } = template ?? {};
  const { annotations = {}, labels = {} } = metadata;
  findings.add(validateLabels(labels, path.child('labels')));
  findings.add(validateAnnotations(annotations, path.child('annotations')));
  validatePodAnnotations(annotations, spec, path.child('annotations'), findings);
  validatePodSpec(spec, path.child('spec'), findings, { podName: '', isTemplate: true });
  if ((spec.ephemeralContainers ?? []).length > 0)
    findings.forbidden(
      path.child('spec', 'ephemeralContainers'),
      'ephemeral containers not allowed in pod template',
    );
}
