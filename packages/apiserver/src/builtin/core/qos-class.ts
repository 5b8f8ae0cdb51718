import { Quantity } from '@windlass/apimachinery';
import { type Fields, objectAt, objectsAt } from '../values.ts';

const COUNTED = ['cpu', 'memory'];

/** How readily a pod is given up when its node runs short: by what it asked for. */
export function qosClassOf(spec: Readonly<Fields>): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  let hasAny = false;
  let isGuaranteed = true;
  // What a pod asks for as a whole counts instead of what its parts do.
  const askers =
    objectAt(spec, 'resources') === undefined
      ? [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')]
      : [spec];
  for (const asker of askers) {
    const resources = objectAt(asker, 'resources');
    const requests = positive(objectAt(resources, 'requests'));
    const limits = positive(objectAt(resources, 'limits'));
    hasAny ||= requests.size + limits.size > 0;
    isGuaranteed &&= COUNTED.every((name) => {
      const limit = limits.get(name);
      return limit !== undefined && limit === (requests.get(name) ?? limit);
    });
  }
  if (!hasAny) return 'BestEffort';
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function positive(list: Fields | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of COUNTED) {
    const value = list?.[name];
    if (typeof value !== 'string') continue;
    const quantity = Quantity.parse(value);
    if (quantity.sign > 0) found.set(name, quantity.toString());
  }
  return found;
}
