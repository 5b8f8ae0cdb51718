import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { KindClient } from '@windlass/runtime';
import type { ReadonlyPod } from './pods.ts';

/** The index, by a node's name. */
export const PODS_BY_NODE = 'windlass.dev/pods-by-node';

/** One function for all: an index of a shared cache has one owner's word for what it holds. */
const nodesOf = ({ spec }: ReadonlyPod): string[] =>
  spec?.nodeName === undefined || spec.nodeName === '' ? [] : [spec.nodeName];

/** Adds the index to the cache of pods. */
export function indexPodsByNode(pods: KindClient<Pod>): void {
  pods.addIndex(PODS_BY_NODE, nodesOf);
}

/** Pods by the node that they run on. */
export class PodsByNode {
  readonly #pods: KindClient<Pod>;

  constructor(pods: KindClient<Pod>) {
    this.#pods = pods;
    indexPodsByNode(pods);
  }

  list(node: string, signal?: AbortSignal): Promise<ReadonlyPod[]> {
    return this.#pods.list({
      index: { name: PODS_BY_NODE, value: node },
      ...(signal !== undefined && { signal }),
    });
  }
}
