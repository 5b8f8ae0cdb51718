// Which nodes a pod may run on by what they are called and how they are labelled.
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, Pod } from '../generated/api/core/v1.ts';
import type { DeepReadonly } from '../object.ts';
import { type LabelOperator, LabelRequirement } from '../selectors/label-requirement.ts';

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

function requirementMatches(
  { key, operator, values = [] }: DeepReadonly<NodeSelectorRequirement>,
  fields: Readonly<Record<string, string>>,
): boolean {
  const known = OPERATORS[operator];
  return known !== undefined && LabelRequirement.unchecked(key, known, values).matches(fields);
}

/** All of its parts must hold. A term without any matches nothing. */
export function termMatchesNode(
  { matchExpressions = [], matchFields = [] }: DeepReadonly<NodeSelectorTerm>,
  node: DeepReadonly<Node>,
): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const fields = { 'metadata.name': node.metadata?.name ?? '' };
  return (
    matchExpressions.every((each) => requirementMatches(each, node.metadata?.labels ?? {})) &&
    matchFields.every((each) => requirementMatches(each, fields))
  );
}

/** By the pod's node selector and the affinity that it requires. */
export function matchesNode(pod: DeepReadonly<Pod>, node: DeepReadonly<Node>): boolean {
  const labels = node.metadata?.labels ?? {};
  for (const [key, value] of Object.entries(pod.spec?.nodeSelector ?? {}))
    if (labels[key] !== value) return false;
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => termMatchesNode(term, node));
}
