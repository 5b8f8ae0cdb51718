import type { DeepReadonly } from '@windlass/apimachinery';
import { PersistentVolume, Pod } from '@windlass/apimachinery/api/core/v1';
import { ResourceSlice } from '@windlass/apimachinery/api/resource/v1';
import type { Logger } from '@windlass/base';
import type { Store } from '../../storage/store.ts';
import { type Follower, StoreFollower } from '../store-follower.ts';
import { type PodReferences, podReferences } from './pod-references.ts';

/** The pods of each node, what volume each claim has, and which node's devices a slice names. A write of a pod costs one entry of a map. */
export class NodePods implements AsyncDisposable {
  readonly #byNode = new Map<string, Map<string, DeepReadonly<Pod>>>();
  readonly #nodeOf = new Map<string, string>();
  readonly #claimOf = new Map<string, string>();
  readonly #nodeOfSlice = new Map<string, string>();
  readonly #followers: readonly Follower[];

  constructor(store: Store, logger: Logger) {
    this.#followers = [
      new StoreFollower({
        store,
        logger,
        type: Pod,
        onState: (key, pod) => this.#set(key, pod),
      }),
      new StoreFollower({
        store,
        logger,
        type: PersistentVolume,
        onState: (key, volume) => this.#setVolume(key, volume),
      }),
      new StoreFollower({
        store,
        logger,
        type: ResourceSlice,
        onState: (key, slice) => this.#setSlice(key, slice),
      }),
    ];
  }

  async start(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.start()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.stop()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Whether one of the node's pods in the namespace needs what `matches` looks for. */
  needs(node: string, namespace: string, matches: (references: PodReferences) => boolean): boolean {
    for (const pod of this.#byNode.get(node)?.values() ?? []) {
      if (pod.metadata?.namespace === namespace && matches(podReferences(pod))) return true;
    }
    return false;
  }

  hasPod(node: string, namespace: string, name: string): boolean {
    return this.#nodeOf.get(`//pods/${namespace}/${name}`) === node;
  }

  /** `NAMESPACE/NAME` of the claim that the volume is for. */
  claimOfVolume(volume: string): string | undefined {
    return this.#claimOf.get(volume);
  }

  /** Undefined when there is no such slice, or it is not of one node. */
  nodeOfSlice(slice: string): string | undefined {
    return this.#nodeOfSlice.get(slice);
  }

  #set(key: string, pod: DeepReadonly<Pod> | undefined): void {
    const before = this.#nodeOf.get(key);
    const node = pod?.spec?.nodeName ?? '';
    if (before !== undefined && before !== node) {
      const pods = this.#byNode.get(before);
      pods?.delete(key);
      if (pods?.size === 0) this.#byNode.delete(before);
      this.#nodeOf.delete(key);
    }
    if (pod === undefined || node === '') return;
    this.#nodeOf.set(key, node);
    const pods = this.#byNode.get(node) ?? new Map<string, DeepReadonly<Pod>>();
    this.#byNode.set(node, pods.set(key, pod));
  }

  #setVolume(key: string, volume: DeepReadonly<PersistentVolume> | undefined): void {
    const name = key.slice('//persistentvolumes/'.length);
    const claim = volume?.spec?.claimRef;
    this.#claimOf.delete(name);
    if (claim?.name !== undefined) this.#claimOf.set(name, `${claim.namespace ?? ''}/${claim.name}`);
  }

  #setSlice(key: string, slice: DeepReadonly<ResourceSlice> | undefined): void {
    const name = key.slice(key.lastIndexOf('/') + 1);
    const node = slice?.spec.nodeName;
    if (node === undefined) this.#nodeOfSlice.delete(name);
    else this.#nodeOfSlice.set(name, node);
  }
}
