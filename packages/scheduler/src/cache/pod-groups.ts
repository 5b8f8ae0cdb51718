import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';

/** Pods of one namespace that have the same labels, as those of one template do. Pods that are going are not in it. */
export interface PodGroup {
  readonly labels: Readonly<Record<string, string>>;
  /** How many of them each node has; only nodes that have some. */
  readonly counts: ReadonlyMap<NodeInfo, number>;
}

interface Group extends PodGroup {
  readonly namespace: string;
  readonly key: string;
  readonly counts: Map<NodeInfo, number>;
}

/**
 * Counts pods by their labels, so that whoever looks for those that a selector matches need not look at each pod of
 * each node. To add or remove one is O(1) in pods and nodes; to look is O(groups of the namespace).
 */
export class PodGroups {
  readonly #byNamespace = new Map<string, Map<string, Group>>();
  /** By uid, where each pod counts. */
  readonly #places = new Map<string, { readonly group: Group; readonly node: NodeInfo }>();

  of(namespace: string): Iterable<PodGroup> {
    return this.#byNamespace.get(namespace)?.values() ?? [];
  }

  set(pod: PodInfo, node: NodeInfo): void {
    this.delete(pod.uid);
    if (pod.isTerminating) return;
    const group = this.#groupOf(pod);
    group.counts.set(node, (group.counts.get(node) ?? 0) + 1);
    this.#places.set(pod.uid, { group, node });
  }

  delete(uid: string): void {
    const place = this.#places.get(uid);
    if (place === undefined) return;
    this.#places.delete(uid);
    const { group, node } = place;
    const left = (group.counts.get(node) ?? 0) - 1;
    if (left > 0) group.counts.set(node, left);
    else group.counts.delete(node);
    if (group.counts.size > 0) return;
    const groups = this.#byNamespace.get(group.namespace);
    groups?.delete(group.key);
    if (groups?.size === 0) this.#byNamespace.delete(group.namespace);
  }

  #groupOf({ namespace, labels }: PodInfo): Group {
    let groups = this.#byNamespace.get(namespace);
    if (groups === undefined) {
      groups = new Map();
      this.#byNamespace.set(namespace, groups);
    }
    // The same labels in another order are another group, which costs a little and changes nothing.
    const key = JSON.stringify(labels);
    let group = groups.get(key);
    if (group === undefined) {
      group = { namespace, key, labels, counts: new Map() };
      groups.set(key, group);
    }
    return group;
  }
}
