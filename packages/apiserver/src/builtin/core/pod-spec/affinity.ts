// Which nodes, and which other pods, a pod is drawn to or kept away from.
import type { FieldPath } from '@windlass/apimachinery';
import type {
  Affinity,
  NodeAffinity,
  NodeSelectorTerm,
  PodAffinityTerm,
} from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from '../../shared/node-selectors.ts';
import { validateLabelKeys } from './label-keys.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(
  affinity: View<Affinity> | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  if (affinity === undefined) return;
  validateNodeAffinity(affinity.nodeAffinity ?? {}, path.child('nodeAffinity'), findings);
  for (const field of ['podAffinity', 'podAntiAffinity'] as const) {
    const pods = affinity[field];
    for (const [index, term] of (pods?.[REQUIRED] ?? []).entries())
      validatePodTerm(term, path.child(field, REQUIRED).index(index), findings);
    for (const [index, { weight, podAffinityTerm }] of (pods?.[PREFERRED] ?? []).entries()) {
      const at = path.child(field, PREFERRED).index(index);
      validateWeight(weight, at, findings);
      validatePodTerm(podAffinityTerm ?? {}, at.child('podAffinityTerm'), findings);
    }
  }
}

function validateNodeAffinity(
  { [REQUIRED]: required, [PREFERRED]: preferred }: View<NodeAffinity>,
  path: FieldPath,
  findings: Findings,
): void {
  if (required !== undefined) validateNodeSelector(required, path.child(REQUIRED), findings);
  for (const [index, { weight, preference }] of (preferred ?? []).entries()) {
    const at = path.child(PREFERRED).index(index);
    validateWeight(weight, at, findings);
    validatePreference(preference ?? {}, at.child('preference'), findings);
  }
}

/** Of a preference the values may be anything. */
function validatePreference(term: View<NodeSelectorTerm>, path: FieldPath, findings: Findings): void {
  const before = findings.errors.length;
  validateNodeSelectorTerm(term, path, findings);
  const kept = findings.errors
    .slice(before)
    .filter(({ field }) => !/matchExpressions\[\d+\]\.values\[/.test(field));
  findings.errors.length = before;
  findings.add(kept);
}

function validateWeight(weight = 0, path: FieldPath, findings: Findings): void {
  if (weight <= 0 || weight > 100)
    findings.invalid(path.child('weight'), weight, 'must be in the range 1-100');
}

function validatePodTerm(term: View<PodAffinityTerm>, path: FieldPath, findings: Findings): void {
  findings.selector(path.child('labelSelector'), term.labelSelector);
  findings.selector(path.child('namespaceSelector'), term.namespaceSelector);
  for (const namespace of term.namespaces ?? []) findings.label(path.child('namespace'), namespace);
  validateLabelKeys(term, path, findings);
  const { topologyKey: key = '' } = term;
  if (key === '') findings.required(path.child('topologyKey'), 'can not be empty');
  findings.qualifiedName(path.child('topologyKey'), key);
}
