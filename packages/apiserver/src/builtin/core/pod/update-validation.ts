// What of a pod's spec may change.
import { deepEqual, encodeJson, FieldPath, validateInRange } from '@windlass/apimachinery';
import type { PodSpec, Toleration } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateTolerations } from '../pod-spec/tolerations.ts';

const SPEC = FieldPath.of('spec');
const MAX_INT32 = 2 ** 31 - 1;
const MUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

export function validateSpecUpdate(spec: View<PodSpec>, before: View<PodSpec>, findings: Findings): void {
  for (const list of ['containers', 'initContainers'] as const) {
    if ((spec[list] ?? []).length === (before[list] ?? []).length) continue;
    findings.forbidden(SPEC.child(list), 'pod updates may not add or remove containers');
    return;
  }
  if (!validateDeadline(spec.activeDeadlineSeconds, before.activeDeadlineSeconds, findings)) return;
  validateAddedTolerations(spec.tolerations ?? [], before.tolerations ?? [], findings);
  validateRemovedGates(spec, before, findings);
  if (!deepEqual(fixed(spec, before), fixed(before, before))) findings.forbidden(SPEC, MUTABLE);
}

/** Whether the rest is worth looking at. */
function validateDeadline(
  deadline: number | undefined,
  before: number | undefined,
  findings: Findings,
): boolean {
  const path = SPEC.child('activeDeadlineSeconds');
  if (deadline === undefined) {
    if (before !== undefined)
      findings.invalid(path, null, 'must not update from a positive integer to nil value');
    return true;
  }
  const problems = validateInRange(deadline, 0, MAX_INT32);
  findings.problems(path, deadline, problems);
  const isLonger = before !== undefined && before < deadline;
  if (problems.length === 0 && isLonger)
    findings.invalid(path, deadline, 'must be less than or equal to previous value');
  return problems.length === 0 && !isLonger;
}

function validateAddedTolerations(
  now: readonly View<Toleration>[],
  before: readonly View<Toleration>[],
  findings: Findings,
): void {
  const path = SPEC.child('tolerations');
  const bare = ({ tolerationSeconds: _seconds, ...toleration }: View<Toleration>): string =>
    encodeJson(toleration, { stable: true });
  const known = new Set(now.map(bare));
  const isKept = before.every((toleration) => known.has(bare(toleration)));
  if (isKept) validateTolerations(now, path, findings);
  else findings.forbidden(path, 'existing toleration can not be modified except its tolerationSeconds');
}

function validateRemovedGates(spec: View<PodSpec>, before: View<PodSpec>, findings: Findings): void {
  const known = new Set((before.schedulingGates ?? []).map(({ name = '' }) => name));
  for (const [index, { name = '' }] of (spec.schedulingGates ?? []).entries())
    if (!known.has(name))
      findings.forbidden(
        SPEC.child('schedulingGates').index(index).child('name'),
        `only deletion is allowed, but found new scheduling gate '${name}'`,
      );
}

/** The spec without what may change. */
function fixed(spec: View<PodSpec>, before: View<PodSpec>): View<PodSpec> {
  const {
    activeDeadlineSeconds: _deadline,
    tolerations: _tolerations,
    schedulingGates: _gates,
    ...rest
  } = spec;
  const { terminationGracePeriodSeconds: grace } = before;
  const mayEnd = grace !== undefined && grace < 0 && spec.terminationGracePeriodSeconds === 1;
  return {
    ...rest,
    ...(spec.containers !== undefined && { containers: withoutImages(spec.containers) }),
    ...(spec.initContainers !== undefined && { initContainers: withoutImages(spec.initContainers) }),
    ...(mayEnd && { terminationGracePeriodSeconds: grace }),
  };
}

function withoutImages<T extends { readonly image?: string }>(containers: readonly T[] | null): T[] {
  return (containers ?? []).map((container) => ({ ...container, image: '' }));
}
