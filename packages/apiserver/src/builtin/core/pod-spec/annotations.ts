import type { FieldPath } from '@windlass/apimachinery';
import type { PodSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

/** On a pod that a node runs by itself, and shows to the API server. */
export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

export function validatePodAnnotations(
  annotations: Readonly<Record<string, string>>,
  { nodeName = '' }: View<PodSpec>,
  path: FieldPath,
  findings: Findings,
): void {
  const mirror = annotations[MIRROR_ANNOTATION];
  if (mirror !== undefined && nodeName === '')
    findings.invalid(
      path.key(MIRROR_ANNOTATION),
      mirror,
      'must set spec.nodeName if mirror pod annotation is set',
    );
  const cost = annotations[DELETION_COST];
  if (cost !== undefined && !/^(?:0|-\d+|[1-9]\d*)$/.test(cost))
    findings.invalid(path.key(DELETION_COST), cost, 'must be a 32bit integer');
}
