import type { DeepReadonly } from '@windlass/apimachinery';
import type { Taint, Toleration } from '@windlass/apimachinery/api/core/v1';
import type { FilterPlugin, ScorePlugin } from '../framework/plugin.ts';
import { normalized, rejects } from '../framework/plugin.ts';

const HARD = new Set(['NoSchedule', 'NoExecute']);
const INTEGER = /^-?\d+$/;

export function tolerates(
  tolerations: readonly DeepReadonly<Toleration>[],
  taint: DeepReadonly<Taint>,
): boolean {
  return tolerations.some((toleration) => toleratesBy(toleration, taint));
}

function toleratesBy(
  { effect = '', key = '', operator = '', value = '' }: DeepReadonly<Toleration>,
  taint: DeepReadonly<Taint>,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  const has = taint.value ?? '';
  switch (operator) {
    case '':
    case 'Equal':
      return value === has;
    case 'Exists':
      return true;
    case 'Gt':
    case 'Lt':
      if (!INTEGER.test(value) || !INTEGER.test(has)) return false;
      return operator === 'Gt' ? BigInt(has) > BigInt(value) : BigInt(has) < BigInt(value);
    default:
      return false;
  }
}

/** The first taint of these effects that is not tolerated. */
export function untoleratedTaint(
  taints: readonly DeepReadonly<Taint>[],
  tolerations: readonly DeepReadonly<Toleration>[],
  effects: ReadonlySet<string> = HARD,
): DeepReadonly<Taint> | undefined {
  return taints.find((taint) => effects.has(taint.effect) && !tolerates(tolerations, taint));
}

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
    const counts = nodes.map(
      ({ node }) =>
        (node?.spec?.taints ?? []).filter(
          (taint) => taint.effect === 'PreferNoSchedule' && !tolerates(soft, taint),
        ).length,
    );
    return normalized(counts, true);
  },
};
