import type { PodInfo } from '../cache/pod-info.ts';

const NOBODY: readonly PodInfo[] = Object.freeze([]);

/** Pods that room is being made for, by the node where. Others count them as if they were there already. */
export class Nominations {
  readonly #byNode = new Map<string, Map<string, PodInfo>>();
  /** By uid. */
  readonly #nodes = new Map<string, string>();

  set(pod: PodInfo, node: string): void {
    this.delete(pod.uid);
    if (node === '') return;
    this.#nodes.set(pod.uid, node);
    const pods = this.#byNode.get(node) ?? new Map<string, PodInfo>();
    pods.set(pod.uid, pod);
    this.#byNode.set(node, pods);
  }

  delete(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    this.#nodes.delete(uid);
    const pods = this.#byNode.get(node);
    pods?.delete(uid);
    if (pods?.size === 0) this.#byNode.delete(node);
  }

  nodeOf(uid: string): string | undefined {
    return this.#nodes.get(uid);
  }

  on(node: string): readonly PodInfo[] {
    const pods = this.#byNode.get(node);
    return pods === undefined ? NOBODY : [...pods.values()];
  }
}
