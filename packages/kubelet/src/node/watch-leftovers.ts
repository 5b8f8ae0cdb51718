import { Pod } from '@windlass/apimachinery/api/core/v1';
import { type Manager, timerSource } from '@windlass/runtime';
import type { RuntimePods } from '../runtime/runtime.ts';

export interface LeftoversOptions {
  readonly manager: Manager;
  readonly node: string;
  readonly pods: RuntimePods;
  /** The uids of the pods that the server has on the node. */
  readonly known: () => ReadonlySet<string>;
  /** Narrows the watch of pods to those that may be read. */
  readonly podField: { readonly fieldSelector?: string };
}

const SWEEP_MS = 60_000;

/** Removes from the runtime what is of pods that have gone while nobody looked, or that could not be removed then. */
export function watchLeftovers({ manager, node, pods, known, podField }: LeftoversOptions): void {
  manager
    .controller('kubelet-leftovers')
    // What is of a pod that is not known yet must not be taken for left over.
    .watches(Pod, () => [], podField)
    .source(
      timerSource({
        name: 'sweep',
        everyMs: SWEEP_MS,
        immediately: true,
        clock: manager.clock,
        keys: () => [node],
      }),
    )
    .reconcile(() => pods.removeOthers(known()), { needsLeadership: false });
}
