import type { Selector } from '@windlass/apimachinery';
import type { NamespaceLabels } from '../cache/affinity-term.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodGroup } from '../cache/pod-groups.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ClusterEvent } from './cluster-event.ts';
import type { DeviceView } from './device-view.ts';
import type { VolumeView } from './volume-view.ts';

/** Why a node does not take a pod. */
export interface Rejection {
  readonly plugin: string;
  /** For people, each counted over all nodes: `Insufficient cpu`. */
  readonly reasons: readonly string[];
  /** No pod that goes away would change it. */
  readonly isUnresolvable: boolean;
}

/** What plugins may look at. It does not change while one pod is scheduled. */
export interface ClusterView {
  nodes(): readonly NodeInfo[];
  /** The nodes that have pods with affinity to other pods, or anti-affinity. */
  nodesWithAffinity(): Iterable<NodeInfo>;
  /** How many nodes have the image of this name. */
  nodesWithImage(name: string): number;
  /** The pods of a namespace that have a node and are not going, by their labels. */
  podGroups(namespace: string): Iterable<PodGroup>;
  readonly namespaceLabels: NamespaceLabels;
  /** What selects a pod's like: its services and what controls it. Undefined when it has neither. */
  readonly defaultSpreadSelectorOf: (pod: PodInfo) => Selector | undefined;
  readonly volumes: VolumeView;
  readonly devices: DeviceView;
}

/** What a filter has found out about the whole cluster; for what-ifs it can be copied and changed. */
export interface FilterState {
  clone(): FilterState;
  /** As if the other pod came to the node, or left it. */
  change(other: PodInfo, node: NodeInfo, by: 1 | -1): void;
}

/** For filters that have found out nothing, and are to be asked about nodes all the same. */
export const NO_STATE: FilterState = Object.freeze({ clone: () => NO_STATE, change: () => {} });

/** What a filter says about a pod before it is asked about nodes. */
export type PreFilterResult =
  /** The filter need not be asked about any node. */
  | { readonly kind: 'skip' }
  | { readonly kind: 'state'; readonly state: FilterState }
  /** No node will do. */
  | { readonly kind: 'reject'; readonly rejection: Rejection };

/** Decides whether a node can take a pod. Pure: it looks and answers. */
export interface FilterPlugin {
  readonly name: string;
  /** After which of these a pod that it has rejected is worth another try. */
  readonly events: readonly ClusterEvent[];
  preFilter?(pod: PodInfo, view: ClusterView): PreFilterResult;
  filter(pod: PodInfo, node: NodeInfo, state: FilterState | undefined): Rejection | undefined;
}

/** Says how well a node suits a pod; only nodes that every filter has passed are asked about. */
export interface ScorePlugin {
  readonly name: string;
  /** How much its scores count beside others'. */
  readonly weight: number;
  /** One score for each node, from 0 to 100. Undefined: it has nothing to say about this pod. */
  score(pod: PodInfo, nodes: readonly NodeInfo[], view: ClusterView): readonly number[] | undefined;
}

/**
 * Takes part in the time between the decision and the binding: volumes are bound and devices allocated here. `reserve` is called
 * when a node has been chosen, in the same turn; `preBind` may take long. Whatever fails, `unreserve` is
 * called for each that has reserved; what it has to write goes on beside the next decisions.
 */
export interface BindingPlugin {
  readonly name: string;
  reserve(pod: PodInfo, node: NodeInfo): Rejection | undefined;
  unreserve(pod: PodInfo, node: string, signal: AbortSignal): Promise<void> | void;
  preBind(pod: PodInfo, node: string, signal: AbortSignal): Promise<void>;
  /** The pod fits nowhere. What it holds, and what keeps it from other nodes, may be given back. */
  giveBack?(pod: PodInfo, rejections: ReadonlyMap<string, Rejection>, signal: AbortSignal): Promise<void>;
}

export const MAX_SCORE = 100;

/** Makes the greatest score 100 and the others follow in proportion. */
export function normalized(scores: readonly number[], isReverse = false): number[] {
  const greatest = Math.max(0, ...scores);
  if (greatest === 0) return scores.map(() => (isReverse ? MAX_SCORE : 0));
  return scores.map((score) => {
    const scaled = Math.floor((score * MAX_SCORE) / greatest);
    return isReverse ? MAX_SCORE - scaled : scaled;
  });
}

export function rejects(plugin: string, reason: string, isUnresolvable = false): Rejection {
  return { plugin, reasons: [reason], isUnresolvable };
}
