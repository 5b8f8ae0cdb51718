import type { Cached } from '@windlass/apimachinery';
import type { Node, Pod } from '@windlass/apimachinery/api/core/v1';

/** Why a node does not take a pod that was bound to it. */
export interface Refusal {
  /** In the pod's status: `NodeAffinity`, `OutOfcpu`, `NodePorts`. */
  readonly reason: string;
  readonly message: string;
}

/**
 * Asked once for each pod, before anything of it runs. The scheduler asks the same, but it may have known
 * less, and pods may name a node themselves.
 * @param others the pods that the node has taken and that have not ended
 */
export type AdmitPod = (
  pod: Cached<Pod>,
  node: Cached<Node>,
  others: readonly Cached<Pod>[],
) => Refusal | undefined;

export const admitAll: AdmitPod = () => undefined;
