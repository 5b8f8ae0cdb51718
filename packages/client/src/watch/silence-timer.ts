import type { Clock, Timer } from '@windlass/base';
import { WatchStreamError } from '../errors.ts';

/** How much silence is too much, for somebody who listens: to bytes, or to events. */
export interface SilenceLimit {
  /** For the message: what has fallen silent. */
  readonly what: string;
  readonly clock: Clock;
  /** Zero: any silence is fine. */
  readonly ms: number;
  /** How long nothing has come; zero while nobody would notice if something did. */
  silentMs(): number;
}

/**
 * Tells when a stream has been silent for longer than one of its limits. There is one timer for all limits, and it is
 * set again only when it fires: a busy stream must not pay for a timer each chunk.
 */
export class SilenceTimer {
  readonly #onSilent: (error: WatchStreamError) => void;
  readonly #limits = new Set<SilenceLimit>();
  #timer: Timer | undefined = undefined;

  constructor(onSilent: (error: WatchStreamError) => void) {
    this.#onSilent = onSilent;
  }

  add(limit: SilenceLimit): void {
    if (limit.ms === 0) return;
    this.#limits.add(limit);
    this.#set();
  }

  remove(limit: SilenceLimit): void {
    this.#limits.delete(limit);
    this.#set();
  }

  /** Takes over the limits of another timer, which is stopped. */
  adopt(other: SilenceTimer): void {
    const limits = [...other.#limits];
    other.stop();
    for (const limit of limits) this.add(limit);
  }

  stop(): void {
    this.#limits.clear();
    this.#set();
  }

  /** By the clock of the limit that may be reached first. */
  #set(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    let next: { readonly clock: Clock; readonly left: number } | undefined;
    for (const limit of this.#limits) {
      const left = leftOf(limit);
      if (next === undefined || left < next.left) next = { clock: limit.clock, left };
    }
    if (next === undefined) return;
    this.#timer = next.clock.setTimeout(() => this.#look(), Math.max(0, next.left), { keepAlive: false });
  }

  #look(): void {
    for (const limit of this.#limits) {
      // Less than a millisecond is rounding, and too little for a clock to move by.
      if (leftOf(limit) >= 1) continue;
      this.stop();
      this.#onSilent(
        new WatchStreamError(
          `${limit.what}: nothing came for ${limit.ms} ms; the connection is taken for dead`,
          {
            code: 'WATCH_IDLE',
          },
        ),
      );
      return;
    }
    this.#set();
  }
}

function leftOf(limit: SilenceLimit): number {
  return limit.ms - limit.silentMs();
}
