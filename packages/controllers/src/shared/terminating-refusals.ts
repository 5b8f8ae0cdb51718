import type { Clock } from '@windlass/base';

/** As long as the original waits for pods that it asked for and never got. */
const KEPT_MS = 300_000;

/**
 * Owners that may create nothing more, because their namespace is going. Without it each pod that ends would have its
 * owner ask for all that are gone again: 25,000 refused requests for the 800 pods of eight sets.
 */
export class TerminatingRefusals {
  readonly #clock: Clock;
  /** By the owner's uid, in the order of the refusals. */
  readonly #at = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(uid: string): boolean {
    const at = this.#at.get(uid);
    return at !== undefined && this.#clock.monotonic() - at < KEPT_MS;
  }

  add(uid: string): void {
    const now = this.#clock.monotonic();
    for (const [known, at] of this.#at) {
      if (now - at < KEPT_MS) break;
      this.#at.delete(known);
    }
    this.#at.delete(uid);
    this.#at.set(uid, now);
  }
}
