import { FieldPath } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { MIRROR_ANNOTATION, validatePodAnnotations } from '../pod-spec/annotations.ts';
import { validateImageText } from '../pod-spec/container.ts';
import { validatePodSpec } from '../pod-spec/validation.ts';
import { validatePodStatus } from './status-validation.ts';
import { validateSpecUpdate } from './update-validation.ts';

const SPEC = FieldPath.of('spec');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

export const podValidation: ValidationOf<Pod> = {
  create(pod, findings) {
    const { ephemeralContainers, nodeName = '', schedulingGates } = pod.spec ?? {};
    validatePod(pod, findings);
    if ((ephemeralContainers ?? []).length > 0)
      findings.forbidden(SPEC.child('ephemeralContainers'), 'cannot be set on create');
    if (nodeName !== '' && (schedulingGates ?? []).length > 0)
      findings.forbidden(SPEC.child('nodeName'), 'cannot be set until all schedulingGates have been cleared');
  },
  update(pod, old, findings) {
    validatePod(pod, findings);
    validateAnnotationChange(pod, old, findings);
    validateSpecUpdate(pod.spec ?? {}, old.spec ?? {}, findings);
  },
  status(pod, old, findings) {
    validateAnnotationChange(pod, old, findings);
    validatePodStatus(pod, old, findings);
  },
};

/** What a pod must be however it is written. */
export function validatePod({ metadata, spec = {} }: View<Pod>, findings: Findings): void {
  validatePodAnnotations(metadata?.annotations ?? {}, spec, ANNOTATIONS, findings);
  validatePodSpec(spec, SPEC, findings, { podName: metadata?.name ?? '', isTemplate: false });
  for (const list of ['containers', 'initContainers'] as const)
    for (const [index, container] of (spec[list] ?? []).entries())
      validateImageText(container, SPEC.child(list).index(index), findings);
}

function validateAnnotationChange(pod: View<Pod>, old: View<Pod>, findings: Findings): void {
  const [now, before] = [pod.metadata?.annotations ?? {}, old.metadata?.annotations ?? {}];
  for (const key of new Set([...Object.keys(now), ...Object.keys(before)])) {
    const [noun, isKept] = key.startsWith(APP_ARMOR)
      ? ['AppArmor annotations', false]
      : ['mirror pod annotation', key !== MIRROR_ANNOTATION];
    if (isKept || now[key] === before[key]) continue;
    const change = before[key] === undefined ? 'may not add' : 'may not remove or update';
    findings.forbidden(ANNOTATIONS.key(key), `${change} ${noun}`);
  }
}
