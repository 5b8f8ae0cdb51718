import { listen, WakeCounts } from '@windlass/runtime';

/** A key that woke itself so often will go on for ever. */
const HOT_RUNS = 500;
/** Of those that ran most, so many are named. */
const MAX_NAMED = 5;

/** Why a cluster does not settle: which keys run, how often, and what wakes them. */
export class Wakes implements Disposable {
  readonly #counts = new WakeCounts();
  readonly #listening: Disposable;
  #isHot = false;

  constructor() {
    this.#listening = listen('windlass:reconcile', ({ controller, key, reasons }) => {
      const runs = this.#counts.ran(controller, key, reasons);
      if (runs >= HOT_RUNS && runs % HOT_RUNS === 0)
        this.#isHot ||= this.#counts.busiest(HOT_RUNS).some(({ isOwn }) => isOwn);
    });
  }

  /** Whether a key wakes itself again and again. */
  get isHot(): boolean {
    return this.#isHot;
  }

  busiest(): string[] {
    return this.#counts
      .busiest(2)
      .slice(0, MAX_NAMED)
      .map(({ controller, text }) => `controller "${controller}": ${text}`);
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
    this.#counts[Symbol.dispose]();
  }
}
