import { newBadRequest } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../resource/views.ts';

/**
 * The container that is meant: the one that is named, or the only one.
 * @throws StatusError 400 when there is no such container, or several to choose from
 */
export function containerOf({ metadata, spec }: View<Pod>, named: string): string {
  const name = metadata?.name ?? '';
  const containers = spec?.containers ?? [];
  const all = [...(spec?.initContainers ?? []), ...containers, ...(spec?.ephemeralContainers ?? [])].map(
    (container) => container.name ?? '',
  );
  if (named !== '') {
    if (!all.includes(named)) throw newBadRequest(`container ${named} is not valid for pod ${name}`);
    return named;
  }
  const [only] = containers;
  if (only === undefined) throw newBadRequest(`a container name must be specified for pod ${name}`);
  if (containers.length > 1)
    throw newBadRequest(
      `a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`,
    );
  return only.name ?? '';
}
