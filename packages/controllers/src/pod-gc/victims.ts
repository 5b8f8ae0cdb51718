import { type Cached, isBeingDeleted } from '@windlass/apimachinery';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import { byCreation } from '../shared/meta.ts';
import { isReady, isTerminal, type ReadonlyPod } from '../shared/pods.ts';

const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

export interface VictimsInput {
  readonly pods: readonly ReadonlyPod[];
  readonly nodes: ReadonlyMap<string, Cached<Node>>;
  /** Nodes that have been gone for long enough, as the server has confirmed. */
  readonly gone: ReadonlySet<string>;
  /** So many pods that have ended may stay. 0 or less: all. */
  readonly threshold: number;
}

export interface Victim {
  readonly pod: ReadonlyPod;
  readonly why: 'terminated' | 'orphaned' | 'unscheduled' | 'out-of-service';
}

/** Pods that nobody will end: what has ended and is too much, and what no node can end any more. */
export function victimsOf({ pods, nodes, gone, threshold }: VictimsInput): Victim[] {
  const victims = new Map<ReadonlyPod, Victim['why']>();
  for (const pod of pods) {
    const node = pod.spec?.nodeName ?? '';
    if (node !== '' && gone.has(node)) victims.set(pod, 'orphaned');
    else if (node === '' && isBeingDeleted(pod)) victims.set(pod, 'unscheduled');
    else if (isBeingDeleted(pod) && isOutOfService(nodes.get(node))) victims.set(pod, 'out-of-service');
  }
  const ended = pods.filter((pod) => isTerminal(pod) && !isBeingDeleted(pod) && !victims.has(pod));
  // Those that were evicted are of no use to anybody.
  const oldestFirst = ended.toSorted((a, b) => evicted(b) - evicted(a) || byCreation(a, b));
  if (threshold > 0)
    for (const pod of oldestFirst.slice(0, Math.max(0, ended.length - threshold)))
      victims.set(pod, 'terminated');
  return Array.from(victims, ([pod, why]) => ({ pod, why }));
}

const evicted = ({ status }: ReadonlyPod): number => (status?.reason === 'Evicted' ? 1 : 0);

/** Somebody has said that the node is off, and it does not say otherwise. */
function isOutOfService(node: Cached<Node> | undefined): boolean {
  // Nodes have the same kind of condition as pods.
  return (
    node?.spec?.taints?.some(({ key }) => key === OUT_OF_SERVICE) === true &&
    !isReady({ status: { conditions: node.status?.conditions ?? [] } })
  );
}
