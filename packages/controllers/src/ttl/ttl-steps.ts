interface Step {
  readonly min: number;
  readonly max: number;
  readonly seconds: number;
}

/** They overlap, so that a node that comes and goes does not have every node written each time. */
const STEPS: readonly Step[] = [
  { min: 0, max: 100, seconds: 0 },
  { min: 90, max: 500, seconds: 15 },
  { min: 450, max: 1000, seconds: 30 },
  { min: 900, max: 2000, seconds: 60 },
  { min: 1800, max: Number.POSITIVE_INFINITY, seconds: 300 },
];

/** How long nodes may keep what they read of secrets and config maps: the longer, the more nodes ask. */
export class TtlSteps {
  #at = 0;

  secondsFor(nodes: number): number {
    while (nodes > (STEPS[this.#at]?.max ?? 0) && this.#at < STEPS.length - 1) this.#at++;
    while (nodes < (STEPS[this.#at]?.min ?? 0) && this.#at > 0) this.#at--;
    return STEPS[this.#at]?.seconds ?? 0;
  }
}
