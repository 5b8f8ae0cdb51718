import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import { InvalidArgumentError } from '@windlass/base';
import type { Kubelet } from '@windlass/kubelet';
import type { Controller, Manager } from '@windlass/runtime';
import type { Disturbances } from './disturbances.ts';

/** What runs in this process beside the API server, for who looks at it and plays with it. */
export interface ClusterInside {
  /** Those of all parts. */
  controllers(): Iterable<Controller>;
  /** What a cache has under the key: `peek('deployments.apps', 'default/web')`. */
  peek(kind: string, key: string): DeepReadonly<KubeObject> | undefined;
  /** The oldest version from which changes can still be watched. */
  readonly oldestVersion: string;
  /** Between the parts and the API server. */
  readonly disturbances: Disturbances;
  /** Nodes that were cut off. */
  readonly suspendedNodes: ReadonlySet<string>;
  /** Cuts a simulated node off: it says and does nothing more. */
  suspendNode(name: string): void;
  resumeNode(name: string): void;
}

/** Filled while the parts start. */
export class Inside implements ClusterInside {
  readonly disturbances: Disturbances;
  readonly suspendedNodes = new Set<string>();
  readonly #oldestRevision: () => number;
  readonly #managers: Manager[] = [];
  #kubelet: Kubelet | undefined = undefined;

  constructor(disturbances: Disturbances, oldestRevision: () => number) {
    this.disturbances = disturbances;
    this.#oldestRevision = oldestRevision;
  }

  addManager(...managers: readonly Manager[]): void {
    this.#managers.push(...managers);
  }

  addKubelet(kubelet: Kubelet): void {
    this.#kubelet = kubelet;
  }

  get oldestVersion(): string {
    // Zero would mean any version.
    return String(Math.max(1, this.#oldestRevision()));
  }

  *controllers(): IterableIterator<Controller> {
    for (const manager of this.#managers) yield* manager.controllers.values();
  }

  peek(kind: string, key: string): DeepReadonly<KubeObject> | undefined {
    for (const { cluster } of this.#managers) {
      const found = cluster.cache.peek(kind, key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  suspendNode(name: string): void {
    this.#nodes(name).suspend(name);
    this.suspendedNodes.add(name);
  }

  resumeNode(name: string): void {
    this.#nodes(name).resume(name);
    this.suspendedNodes.delete(name);
  }

  #nodes(name: string): Kubelet {
    if (this.#kubelet === undefined) throw new InvalidArgumentError('node', name, 'a node of this process');
    return this.#kubelet;
  }
}
