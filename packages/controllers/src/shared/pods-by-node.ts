import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { KindClient } from '@windlass/runtime';
import type { ReadonlyPod } from './pods.ts';

const INDEX = 'windlass.dev/pods-by-node';

/** One function for all: an index of a shared cache has one owner's word for what it holds. */
const nodesOf = ({ spec }: ReadonlyPod): string[] =>
  spec?.nodeName === undefined || spec.nodeName === '' ? [] : [spec.nodeName];

/** Pods by the node that they run on. */
export class PodsByNode {
  readonly #pods: KindClient<Pod>;

  constructor(pods: KindClient<Pod>) {
    this.#pods = pods;
    pods.addIndex(INDEX, nodesOf);
  }

  list(node: string, signal?: AbortSignal): Promise<ReadonlyPod[]> {
    return this.#pods.list({
      index: { name: INDEX, value: node },
      ...(signal !== undefined && { signal }),
    });
  }

  static readonly index = INDEX;
}
