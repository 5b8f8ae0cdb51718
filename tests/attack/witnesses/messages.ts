import type { Identity } from '../people.ts';
import type { Place } from '../place.ts';

/** What the runner says to a witness. */
export type Order =
  | {
      readonly type: 'work';
      readonly place: Place;
      readonly pid: number;
      readonly identities: readonly Identity[];
    }
  /** Ask nothing until there is work again. It answers with `resting` when nothing is under way. */
  | { readonly type: 'rest' }
  /** Tell what was seen since the last time. */
  | { readonly type: 'tell' };

/** What a witness says back. */
export type Reply<Seen> = { readonly type: 'resting' } | { readonly type: 'seen'; readonly seen: Seen };

/** One answer to /readyz. */
export interface Probe {
  /** From the question to the whole answer, in milliseconds. */
  readonly ms: number;
  /** How late timers of the asking process were meanwhile, all together: it was not let run. */
  readonly ownDelayMs: number;
  /** How long the server's main thread could have run meanwhile and was not let, by the kernel's count. */
  readonly serverWaitMs: number;
  /** How long the server's main thread ran meanwhile. What is neither this nor waiting was spent on a disk or a thread. */
  readonly serverRunMs: number;
}

export interface ProberSeen {
  readonly probes: number;
  /** The slowest by the clock. */
  readonly slowest: Probe;
  /** The slowest after what the machine took is taken off. */
  readonly slowestHeld: Probe;
  /** What was not 200 within the time, as sentences; the first ones. */
  readonly failures: readonly string[];
  readonly failureCount: number;
}

export interface HonestSeen {
  readonly requests: number;
  readonly slowestMs: number;
  readonly slowestWhat: string;
  /** 429 to the user, after which the same request succeeded when it should. */
  readonly retried: number;
  readonly failures: readonly string[];
  readonly failureCount: number;
}

/** What is left of a stall when what the machine took from either side is taken off. */
export function heldMs({ ms, ownDelayMs, serverWaitMs }: Probe): number {
  return Math.max(0, ms - Math.max(ownDelayMs, serverWaitMs));
}
