/** Nodes of one zone whose pods are to be moved, one after the other and not faster than the zone may. */
export class EvictionQueue {
  readonly #nodes = new Set<string>();
  #rate: number;
  #takenAt = Number.NEGATIVE_INFINITY;

  /** @param rate nodes a second; 0 none at all */
  constructor(rate: number) {
    this.#rate = rate;
  }

  set rate(rate: number) {
    this.#rate = rate;
  }

  add(node: string): void {
    this.#nodes.add(node);
  }

  delete(node: string): void {
    this.#nodes.delete(node);
  }

  /** In how many milliseconds the next one may be taken; Infinity when there is none. */
  waitMs(now: number): number {
    if (this.#nodes.size === 0 || this.#rate <= 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#takenAt + 1000 / this.#rate - now);
  }

  take(now: number): string | undefined {
    if (this.waitMs(now) > 0) return undefined;
    const [next] = this.#nodes;
    if (next === undefined) return undefined;
    this.#nodes.delete(next);
    this.#takenAt = now;
    return next;
  }
}
