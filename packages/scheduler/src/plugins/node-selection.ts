// Which nodes a pod may run on by what they are called, how they are labelled, and what they say themselves.
import { matchesNode, termMatchesNode, tolerates } from '@windlass/apimachinery';
import {
  type FilterPlugin,
  NO_STATE,
  normalized,
  type PreFilterResult,
  rejects,
  type ScorePlugin,
} from '../framework/plugin.ts';

export const nodeName: FilterPlugin = {
  name: 'NodeName',
  events: ['NodeAdd'],
  preFilter: ({ pod }) => askOnlyIf((pod.spec?.nodeName ?? '') !== ''),
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
  preFilter({ pod }) {
    const { nodeSelector = {}, affinity } = pod.spec ?? {};
    const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    return askOnlyIf(required !== undefined || Object.keys(nodeSelector).length > 0);
  },
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

/** Most pods leave the choice to the scheduler, and look at hundreds of nodes. */
const askOnlyIf = (isChoosy: boolean): PreFilterResult =>
  isChoosy ? { kind: 'state', state: NO_STATE } : { kind: 'skip' };
