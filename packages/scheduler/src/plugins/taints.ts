import { tolerates, untoleratedTaint } from '@windlass/apimachinery';
import type { FilterPlugin, ScorePlugin } from '../framework/plugin.ts';
import { normalized, rejects } from '../framework/plugin.ts';

export const taintToleration: FilterPlugin & ScorePlugin = {
  name: 'TaintToleration',
  events: ['NodeAdd', 'NodeTaint', 'PodUpdate'],
  weight: 3,
  filter({ pod }, { node }) {
    const taint = untoleratedTaint(node?.spec?.taints ?? [], pod.spec?.tolerations ?? []);
    if (taint === undefined) return undefined;
    return rejects(
      'TaintToleration',
      `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`,
      true,
    );
  },
  score({ pod }, nodes) {
    // Only tolerations that speak of such taints count.
    const soft = (pod.spec?.tolerations ?? []).filter(
      ({ effect = '' }) => effect === '' || effect === 'PreferNoSchedule',
    );
    const counts = nodes.map(({ node }) => {
      let count = 0;
      for (const taint of node?.spec?.taints ?? [])
        if (taint.effect === 'PreferNoSchedule' && !tolerates(soft, taint)) count++;
      return count;
    });
    return normalized(counts, true);
  },
};
