import type { Cached } from '@windlass/apimachinery';
import type { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { ImageCounts } from './image-counts.ts';
import { NodeInfo } from './node-info.ts';
import { type PodGroup, PodGroups } from './pod-groups.ts';
import { type PodInfo, podInfo } from './pod-info.ts';

/**
 * The nodes and what is on them: bound pods as the server tells of them, and those that this scheduler has
 * decided on and whose binding is under way. Those are assumed: they count at once, so that the next pod does
 * not take the same place, and are forgotten when the binding fails.
 */
export class SchedulerCache {
  readonly #nodes = new Map<string, NodeInfo>();
  /** By uid, where each pod counts. */
  readonly #places = new Map<string, { readonly node: string; readonly isAssumed: boolean }>();

  /** The list is made anew when nodes come or go, and not for each pod. */
  #known: readonly NodeInfo[] | undefined = undefined;
  readonly #withAffinity = new Set<NodeInfo>();
  readonly #images = new ImageCounts();
  readonly #groups = new PodGroups();

  /** What plugins see of it. */
  readonly view = {
    nodes: (): readonly NodeInfo[] => this.nodes(),
    nodesWithAffinity: (): Iterable<NodeInfo> => this.nodesWithAffinity(),
    nodesWithImage: (name: string): number => this.nodesWithImage(name),
    podGroups: (namespace: string): Iterable<PodGroup> => this.podGroups(namespace),
  };

  /** Only nodes that are known themselves, in the order in which they came. */
  nodes(): readonly NodeInfo[] {
    this.#known ??= [...this.#nodes.values()].filter(({ node }) => node !== undefined);
    return this.#known;
  }

  /** Those of them that have pods with affinity to other pods, of any kind. */
  *nodesWithAffinity(): IterableIterator<NodeInfo> {
    for (const info of this.#withAffinity) if (info.node !== undefined) yield info;
  }

  /** How many nodes have the image. */
  nodesWithImage(name: string): number {
    return this.#images.of(name);
  }

  /** Pods with a node; the node may not be known. */
  podGroups(namespace: string): Iterable<PodGroup> {
    return this.#groups.of(namespace);
  }

  node(name: string): NodeInfo | undefined {
    const info = this.#nodes.get(name);
    return info?.node === undefined ? undefined : info;
  }

  has(uid: string): boolean {
    return this.#places.has(uid);
  }

  isAssumed(uid: string): boolean {
    return this.#places.get(uid)?.isAssumed === true;
  }

  setNode(node: Cached<Node>): void {
    this.#setNode(this.#infoOf(node.metadata.name), node);
  }

  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    if (info === undefined) return;
    this.#setNode(info, undefined);
    this.#dropIfEmpty(info);
  }

  /** A pod that the server says is bound. */
  setPod(pod: Cached<Pod>): void {
    this.#place(podInfo(pod), pod.spec?.nodeName ?? '', false);
  }

  removePod(uid: string): void {
    const place = this.#places.get(uid);
    if (place === undefined) return;
    this.#places.delete(uid);
    this.#groups.delete(uid);
    const info = this.#nodes.get(place.node);
    if (info === undefined) return;
    info.remove(uid);
    if (!info.hasAffinity) this.#withAffinity.delete(info);
    this.#dropIfEmpty(info);
  }

  assume(pod: PodInfo, node: string): void {
    this.#place(pod, node, true);
  }

  /** The binding has failed. Nothing happens if the server has told otherwise meanwhile. */
  forget(uid: string): void {
    if (this.isAssumed(uid)) this.removePod(uid);
  }

  #place(pod: PodInfo, node: string, isAssumed: boolean): void {
    const before = this.#places.get(pod.uid);
    if (before !== undefined && before.node !== node) this.removePod(pod.uid);
    this.#places.set(pod.uid, { node, isAssumed });
    const info = this.#infoOf(node);
    info.add(pod);
    if (info.hasAffinity) this.#withAffinity.add(info);
    else this.#withAffinity.delete(info);
    this.#groups.set(pod, info);
  }

  #setNode(info: NodeInfo, node: Cached<Node> | undefined): void {
    const wasKnown = info.node !== undefined;
    this.#images.change(info.images.keys(), -1);
    info.setNode(node);
    this.#images.change(info.images.keys(), 1);
    if (wasKnown !== (node !== undefined)) this.#known = undefined;
  }

  #infoOf(name: string): NodeInfo {
    let info = this.#nodes.get(name);
    if (info === undefined) {
      info = new NodeInfo(name);
      this.#nodes.set(name, info);
    }
    return info;
  }

  #dropIfEmpty(info: NodeInfo): void {
    if (info.node === undefined && info.podCount === 0) this.#nodes.delete(info.name);
  }
}
