import type { Cached } from '@windlass/apimachinery';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import { hasAffinity, type PodInfo } from './pod-info.ts';
import { type Amounts, amountsOf, plus } from './pod-requests.ts';

/** A node and the pods on it, with their sums kept up to date. To add or remove a pod is O(1). */
export class NodeInfo {
  readonly name: string;
  #node: Cached<Node> | undefined;
  #allocatable: Amounts = new Map();
  #images: ReadonlyMap<string, number> | undefined = undefined;
  /** By uid. */
  readonly #pods: Map<string, PodInfo>;
  readonly #requested: Map<string, number>;
  readonly #assumed: Map<string, number>;
  readonly #withAffinity: Map<string, PodInfo>;
  readonly #withPorts: Map<string, PodInfo>;
  readonly #withClaims: Map<string, PodInfo>;

  constructor(name: string, node?: Cached<Node>, pods: Iterable<PodInfo> = []) {
    this.name = name;
    this.#pods = new Map();
    this.#requested = new Map();
    this.#assumed = new Map();
    this.#withAffinity = new Map();
    this.#withPorts = new Map();
    this.#withClaims = new Map();
    if (node !== undefined) this.setNode(node);
    for (const pod of pods) this.add(pod);
  }

  /** Undefined while pods are known to be on it, but the node itself is not. */
  get node(): Cached<Node> | undefined {
    return this.#node;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#node?.metadata?.labels ?? {};
  }

  /** Bytes of the images that it has, by each of their names. */
  get images(): ReadonlyMap<string, number> {
    this.#images ??= new Map(
      (this.#node?.status?.images ?? []).flatMap(({ names, sizeBytes = 0 }) =>
        (names ?? []).map((name) => [name, sizeBytes] as const),
      ),
    );
    return this.#images;
  }

  get allocatable(): Amounts {
    return this.#allocatable;
  }

  /** What its pods have asked for. */
  get requested(): Amounts {
    return this.#requested;
  }

  /** The same, with something for those that ask for nothing. For scores. */
  get assumed(): Amounts {
    return this.#assumed;
  }

  get podCount(): number {
    return this.#pods.size;
  }

  pods(): IterableIterator<PodInfo> {
    return this.#pods.values();
  }

  get hasAffinity(): boolean {
    return this.#withAffinity.size > 0;
  }

  podsWithAffinity(): IterableIterator<PodInfo> {
    return this.#withAffinity.values();
  }

  podsWithPorts(): IterableIterator<PodInfo> {
    return this.#withPorts.values();
  }

  podsWithClaims(): IterableIterator<PodInfo> {
    return this.#withClaims.values();
  }

  setNode(node: Cached<Node> | undefined): void {
    this.#node = node;
    this.#images = undefined;
    this.#allocatable = amountsOf(node?.status?.allocatable);
  }

  has(uid: string): boolean {
    return this.#pods.has(uid);
  }

  add(pod: PodInfo): void {
    this.remove(pod.uid);
    this.#pods.set(pod.uid, pod);
    plus(this.#requested, pod.requests);
    plus(this.#assumed, pod.assumed);
    if (hasAffinity(pod)) this.#withAffinity.set(pod.uid, pod);
    if (pod.ports.length > 0) this.#withPorts.set(pod.uid, pod);
    if (pod.claims.length > 0) this.#withClaims.set(pod.uid, pod);
  }

  remove(uid: string): PodInfo | undefined {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return undefined;
    this.#pods.delete(uid);
    this.#withAffinity.delete(uid);
    this.#withPorts.delete(uid);
    this.#withClaims.delete(uid);
    this.#subtract(this.#requested, pod.requests, (other) => other.requests);
    this.#subtract(this.#assumed, pod.assumed, (other) => other.assumed);
    return pod;
  }

  /** What a number cannot hold exactly would leave something behind, and is summed up again. */
  #subtract(sums: Map<string, number>, less: Amounts, of: (pod: PodInfo) => Amounts): void {
    for (const [name, amount] of less) {
      const sum = sums.get(name) ?? 0;
      if (Number.isSafeInteger(sum)) sums.set(name, sum - amount);
      else
        sums.set(
          name,
          this.#pods.values().reduce((total, pod) => total + (of(pod).get(name) ?? 0), 0),
        );
    }
  }

  /** For what-ifs; pods themselves are shared. */
  clone(): NodeInfo {
    return new NodeInfo(this.name, this.#node, this.#pods.values());
  }
}
