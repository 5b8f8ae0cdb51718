import type { Cached } from '@windlass/apimachinery';
import type { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { NodeInfo } from './node-info.ts';
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

  /** Only nodes that are known themselves, in the order in which they came. */
  *nodes(): IterableIterator<NodeInfo> {
    for (const info of this.#nodes.values()) if (info.node !== undefined) yield info;
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
    this.#infoOf(node.metadata.name).setNode(node);
  }

  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    info?.setNode(undefined);
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
    const info = this.#nodes.get(place.node);
    info?.remove(uid);
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
    this.#infoOf(node).add(pod);
  }

  #infoOf(name: string): NodeInfo {
    let info = this.#nodes.get(name);
    if (info === undefined) {
      info = new NodeInfo(name);
      this.#nodes.set(name, info);
    }
    return info;
  }

  #dropIfEmpty(info: NodeInfo | undefined): void {
    if (info !== undefined && info.node === undefined && info.podCount === 0) this.#nodes.delete(info.name);
  }
}
