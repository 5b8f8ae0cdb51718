// Which nodes a pod may run on by what they are called, how they are labelled, and what they say themselves.
import type { DeepReadonly } from '@windlass/apimachinery';
import { type LabelOperator, LabelRequirement } from '@windlass/apimachinery';
import type {
  Node,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
} from '@windlass/apimachinery/api/core/v1';
import type { FilterPlugin, ScorePlugin } from '../framework/plugin.ts';
import { normalized, rejects } from '../framework/plugin.ts';
import { tolerates } from './taints.ts';

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

export const nodeName: FilterPlugin = {
  name: 'NodeName',
  events: ['NodeAdd'],
  filter({ pod }, node) {
    const wanted = pod.spec?.nodeName ?? '';
    if (wanted === '' || wanted === node.name) return undefined;
    return rejects('NodeName', "node(s) didn't match the requested node name", true);
  },
};

export const nodeUnschedulable: FilterPlugin = {
  name: 'NodeUnschedulable',
  events: ['NodeAdd', 'NodeTaint', 'PodUpdate'],
  filter({ pod }, { node }) {
    if (node?.spec?.unschedulable !== true) return undefined;
    const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
    if (tolerates(pod.spec?.tolerations ?? [], taint)) return undefined;
    return rejects('NodeUnschedulable', 'node(s) were unschedulable', true);
  },
};

export const nodeAffinity: FilterPlugin & ScorePlugin = {
  name: 'NodeAffinity',
  events: ['NodeAdd', 'NodeLabel', 'PodUpdate'],
  weight: 2,
  filter({ pod }, { node }) {
    if (node !== undefined && matchesNode(pod, node)) return undefined;
    return rejects('NodeAffinity', "node(s) didn't match Pod's node affinity/selector", true);
  },
  score({ pod }, nodes) {
    const preferred = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (preferred.length === 0) return undefined;
    const weights = nodes.map(({ node }) =>
      preferred.reduce(
        (sum, { weight, preference }) =>
          sum + (node !== undefined && termMatchesNode(preference, node) ? weight : 0),
        0,
      ),
    );
    return normalized(weights);
  },
};
