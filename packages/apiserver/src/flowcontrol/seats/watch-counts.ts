import type { RequestInfo } from '../../request/request-info.ts';

type Watched = Pick<RequestInfo, 'group' | 'resource' | 'namespace' | 'name'>;

/**
 * How many watches are open on what, for the estimate of what a write costs. Watches of pods that name a node do not
 * count: a write wakes only the one of its own node.
 */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Notes an open watch. Returns what forgets it, once. */
  register(info: RequestInfo): () => void {
    const node = info.resource === 'pods' ? info.fieldSelector?.requiredValue('spec.nodeName') : undefined;
    if (node !== undefined && node !== '') return () => {};
    const key = keyOf(info.group, info.resource, info.namespace, info.name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#counts.get(key) ?? 0) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }

  /** How many of them would hear of a write: those of the resource, of its namespace, and of the object itself. */
  interestedIn({ group, resource, namespace, name }: Watched): number {
    if (this.#counts.size === 0) return 0;
    let count = this.#counts.get(keyOf(group, resource, '', '')) ?? 0;
    if (namespace !== '') count += this.#counts.get(keyOf(group, resource, namespace, '')) ?? 0;
    if (name !== '') count += this.#counts.get(keyOf(group, resource, namespace, name)) ?? 0;
    return count;
  }
}

function keyOf(group: string, resource: string, namespace: string, name: string): string {
  return `${group}/${resource}/${namespace}/${name}`;
}
