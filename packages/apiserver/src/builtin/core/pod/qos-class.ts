import { Quantity } from '@windlass/apimachinery';
import type { PodSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';

const COUNTED = ['cpu', 'memory'];

/** How readily a pod is given up when its node runs short: by what it asked for. */
export function qosClassOf(spec: View<PodSpec>): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  let hasAny = false;
  let isGuaranteed = true;
  // What a pod asks for as a whole counts instead of what its parts do.
  const askers =
    spec.resources === undefined ? [...(spec.initContainers ?? []), ...(spec.containers ?? [])] : [spec];
  for (const { resources } of askers) {
    const requests = positive(resources?.requests);
    const limits = positive(resources?.limits);
    hasAny ||= requests.size + limits.size > 0;
    isGuaranteed &&= COUNTED.every((name) => {
      const limit = limits.get(name);
      return limit !== undefined && limit === (requests.get(name) ?? limit);
    });
  }
  if (!hasAny) return 'BestEffort';
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function positive(amounts: Readonly<Record<string, string>> | null | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of COUNTED) {
    const value = amounts?.[name];
    if (value === undefined) continue;
    const quantity = Quantity.parse(value);
    if (quantity.sign > 0) found.set(name, quantity.toString());
  }
  return found;
}
