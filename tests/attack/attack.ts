import type { SeededRandom } from '@windlass/base';
import type { Caller } from './caller.ts';
import type { Identity, People } from './people.ts';
import type { Place } from './place.ts';
import type { Tally } from './tally.ts';
import type { Victim } from './victim.ts';

/** Nobody who is told the answer waits longer for it, on a machine that has other things to do too. */
export const ANSWER_WITHIN_MS = 10_000;

/** What an attack is given. The runner closes every caller and every socket when the attack is over. */
export interface Stage {
  readonly place: Place;
  readonly people: People;
  readonly tally: Tally;
  readonly random: SeededRandom;
  readonly victim: Victim;
  /** How long an attack that only waits should wait. */
  readonly holdMs: number;
  /** The first number in the short form of the lane, the second in the long one. */
  size(short: number, long: number): number;
  /** A connection of its own, as that identity. */
  caller(identity: Identity): Caller;
}

/** One way to hurt the server. */
export interface Attack {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** It stops or kills the server itself, so nobody else asks meanwhile, and it is in no mix. */
  readonly isExclusive?: boolean;
  /**
   * Resolves with one sentence for each promise that the server broke towards the attacker. What it did to others
   * is not looked at here: the witnesses see that. It ends by itself, and soon after the signal aborts. It bounds
   * what it sends.
   */
  start(stage: Stage, signal: AbortSignal): Promise<string[]>;
}
