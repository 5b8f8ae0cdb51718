import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { PodAddresses } from '../node/pod-addresses.ts';

/** The address of one pod. The pod holds it as long as it may run; afterwards another pod may have it. */
export class PodAddress {
  readonly #range: PodAddresses | undefined;
  readonly #hostIP: string;
  #held: string | undefined = undefined;

  /** @param range of the node; undefined gives each pod the address of the node */
  constructor(range: PodAddresses | undefined, hostIP: string) {
    this.#range = range;
    this.#hostIP = hostIP;
  }

  /** Takes over the address that a pod has from an agent before this one, so that no other pod gets it. */
  adopt({ spec, status }: Cached<Pod>): void {
    if (status?.podIP === undefined || spec?.hostNetwork === true) return;
    this.#range?.keep(status.podIP);
    this.#held = status.podIP;
  }

  /** An address of the node's range; the node's own for a pod in the network of the node. */
  allocate({ spec }: Cached<Pod>): string {
    if (this.#range === undefined || spec?.hostNetwork === true) return this.#hostIP;
    this.#held = this.#range.allocate();
    return this.#held;
  }

  /** Idempotent. */
  release(): void {
    if (this.#held !== undefined) this.#range?.release(this.#held);
    this.#held = undefined;
  }
}
