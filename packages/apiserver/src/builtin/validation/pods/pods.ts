// Pods and their templates, and what of a pod may change.
import {
  deepEqual,
  FieldPath,
  validateAnnotations,
  validateInRange,
  validateLabels,
} from '@windlass/apimachinery';
import type { Stored } from '../../../resource/strategy.ts';
import { textAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import type { Findings } from '../findings.ts';
import type { ValidationsByKind } from '../kind-validation.ts';
import { validateImageText } from './containers.ts';
import { validatePodSpec } from './pod-spec.ts';
import { validatePodStatus } from './pod-status.ts';
import { validateTolerations } from './scheduling.ts';

const SPEC = FieldPath.of('spec');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');
const MIRROR = 'kubernetes.io/config.mirror';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const MAX_INT32 = 2 ** 31 - 1;
const MUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

export const podValidations: ValidationsByKind = {
  '/v1/Pod': {
    create(pod, findings) {
      const spec = objectAt(pod, 'spec') ?? {};
      validatePod(pod, findings);
      if (objectsAt(spec, 'ephemeralContainers').length > 0)
        findings.forbidden(SPEC.child('ephemeralContainers'), 'cannot be set on create');
      if (textAt(spec, 'nodeName') !== '' && objectsAt(spec, 'schedulingGates').length > 0)
        findings.forbidden(
          SPEC.child('nodeName'),
          'cannot be set until all schedulingGates have been cleared',
        );
    },
    update: validatePodUpdate,
    status(pod, old, findings) {
      validateAnnotationChange(pod, old, findings);
      validatePodStatus(pod, old, findings);
    },
  },
  '/v1/PodTemplate': {
    create: (object, findings) =>
      validateTemplate(objectAt(object, 'template'), FieldPath.of('template'), findings),
  },
};

export function validatePod(pod: Stored, findings: Findings): void {
  const spec = objectAt(pod, 'spec') ?? {};
  validatePodAnnotations(pod.metadata?.annotations ?? {}, spec, ANNOTATIONS, findings);
  validatePodSpec(spec, SPEC, findings, { podName: pod.metadata?.name ?? '', isTemplate: false });
  for (const list of ['containers', 'initContainers'])
    for (const [index, container] of objectsAt(spec, list).entries())
      validateImageText(container, SPEC.child(list).index(index), findings);
}

/** What a workload says of its pods. */
export function validateTemplate(template: Fields | undefined, path: FieldPath, findings: Findings): void {
  const metadata = objectAt(template, 'metadata') ?? {};
  const spec = objectAt(template, 'spec') ?? {};
  // The typed form makes them texts.
  const annotations = (objectAt(metadata, 'annotations') ?? {}) as Record<string, string>;
  findings.add(
    validateLabels((objectAt(metadata, 'labels') ?? {}) as Record<string, string>, path.child('labels')),
  );
  findings.add(validateAnnotations(annotations, path.child('annotations')));
  validatePodAnnotations(annotations, spec, path.child('annotations'), findings);
  validatePodSpec(spec, path.child('spec'), findings, { podName: '', isTemplate: true });
  if (objectsAt(spec, 'ephemeralContainers').length > 0)
    findings.forbidden(
      path.child('spec', 'ephemeralContainers'),
      'ephemeral containers not allowed in pod template',
    );
}

function validatePodAnnotations(
  annotations: Readonly<Record<string, string>>,
  spec: Fields,
  path: FieldPath,
  findings: Findings,
): void {
  const mirror = annotations[MIRROR];
  if (mirror !== undefined && textAt(spec, 'nodeName') === '')
    findings.invalid(path.key(MIRROR), mirror, 'must set spec.nodeName if mirror pod annotation is set');
  const cost = annotations[DELETION_COST];
  if (cost !== undefined && !/^(?:0|-\d+|[1-9]\d*)$/.test(cost))
    findings.invalid(path.key(DELETION_COST), cost, 'must be a 32bit integer');
}

function validateAnnotationChange(pod: Stored, old: Stored, findings: Findings): void {
  const [now, before] = [pod.metadata?.annotations ?? {}, old.metadata?.annotations ?? {}];
  for (const key of new Set([...Object.keys(now), ...Object.keys(before)])) {
    const [noun, isKept] = key.startsWith(APP_ARMOR)
      ? ['AppArmor annotations', false]
      : ['mirror pod annotation', key !== MIRROR];
    if (isKept || now[key] === before[key]) continue;
    const change = before[key] === undefined ? 'may not add' : 'may not remove or update';
    findings.forbidden(ANNOTATIONS.key(key), `${change} ${noun}`);
  }
}

function validatePodUpdate(pod: Stored, old: Stored, findings: Findings): void {
  validatePod(pod, findings);
  validateAnnotationChange(pod, old, findings);
  const [spec, before] = [objectAt(pod, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  for (const list of ['containers', 'initContainers']) {
    if (objectsAt(spec, list).length === objectsAt(before, list).length) continue;
    findings.forbidden(SPEC.child(list), 'pod updates may not add or remove containers');
    return;
  }
  if (!validateDeadline(spec['activeDeadlineSeconds'], before['activeDeadlineSeconds'], findings)) return;
  validateAddedTolerations(spec, before, findings);
  validateRemovedGates(spec, before, findings);
  if (!deepEqual(comparable(spec, before), comparable(before, before))) findings.forbidden(SPEC, MUTABLE);
}

function validateDeadline(deadline: unknown, before: unknown, findings: Findings): boolean {
  const path = SPEC.child('activeDeadlineSeconds');
  if (typeof deadline !== 'number') {
    if (before !== undefined)
      findings.invalid(path, null, 'must not update from a positive integer to nil value');
    return true;
  }
  const problems = validateInRange(deadline, 0, MAX_INT32);
  findings.problems(path, deadline, problems);
  const isLonger = typeof before === 'number' && before < deadline;
  if (problems.length === 0 && isLonger)
    findings.invalid(path, deadline, 'must be less than or equal to previous value');
  return problems.length === 0 && !isLonger;
}

function validateAddedTolerations(spec: Fields, before: Fields, findings: Findings): void {
  const path = SPEC.child('tolerations');
  const bare = ({ tolerationSeconds: _seconds, ...toleration }: Fields): Fields => toleration;
  const now = objectsAt(spec, 'tolerations');
  const isKept = objectsAt(before, 'tolerations').every((toleration) =>
    now.some((other) => deepEqual(bare(other), bare(toleration))),
  );
  if (isKept) validateTolerations(now, path, findings);
  else findings.forbidden(path, 'existing toleration can not be modified except its tolerationSeconds');
}

function validateRemovedGates(spec: Fields, before: Fields, findings: Findings): void {
  const known = new Set(objectsAt(before, 'schedulingGates').map((gate) => textAt(gate, 'name')));
  for (const [index, gate] of objectsAt(spec, 'schedulingGates').entries()) {
    const name = textAt(gate, 'name');
    if (!known.has(name))
      findings.forbidden(
        SPEC.child('schedulingGates').index(index).child('name'),
        `only deletion is allowed, but found new scheduling gate '${name}'`,
      );
  }
}

/** The spec without what may change. */
function comparable(spec: Fields, before: Fields): Fields {
  const copy: Fields = { ...spec };
  for (const list of ['containers', 'initContainers'])
    if (copy[list] !== undefined)
      copy[list] = objectsAt(spec, list).map((container) => ({ ...container, image: '' }));
  for (const field of ['activeDeadlineSeconds', 'tolerations', 'schedulingGates']) delete copy[field];
  const grace = before['terminationGracePeriodSeconds'];
  if (typeof grace === 'number' && grace < 0 && copy['terminationGracePeriodSeconds'] === 1)
    copy['terminationGracePeriodSeconds'] = grace;
  return copy;
}
