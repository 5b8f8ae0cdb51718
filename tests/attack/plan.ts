import type { Random } from '@windlass/base';
import type { Attack } from './attack.ts';

/** One step: some attacks at once, for a while. */
export interface Step {
  readonly attacks: readonly Attack[];
  /** How long those wait that only wait. */
  readonly holdSeconds: number;
  /** After so long none of them begins anything more. */
  readonly limitSeconds: number;
}

/** So much of the time each attack has the server for itself; the rest is for mixes. */
const ALONE_SHARE = 0.7;
const MIXED_AT_ONCE = 3;
const MIX_SECONDS = 15;
const LEAST_SECONDS = 1;
/** An attack with much to send may go on this many seconds, also when its share is less. */
const LEAST_LIMIT_SECONDS = 6;

/**
 * Every attack once in an order by the generator, then mixes of three until the time is over. An attack that needs
 * less than its share ends earlier; one that is exclusive is in no mix.
 */
export function planOf(attacks: readonly Attack[], minutes: number, random: Random): Step[] {
  const total = minutes * 60;
  const mixable = attacks.filter(({ isExclusive }) => isExclusive !== true);
  const share = mixable.length < MIXED_AT_ONCE ? 1 : ALONE_SHARE;
  const seconds = Math.max(LEAST_SECONDS, (total * share) / attacks.length);
  const alone = shuffled(attacks, random).map((attack) => step([attack], seconds));
  const left = total * (1 - share);
  const mixes = Math.floor(left / MIX_SECONDS) + (left > 0 && left < MIX_SECONDS ? 1 : 0);
  return [
    ...alone,
    ...Array.from({ length: mixes }, () =>
      step(shuffled(mixable, random).slice(0, MIXED_AT_ONCE), Math.min(MIX_SECONDS, left)),
    ),
  ];
}

function step(attacks: readonly Attack[], seconds: number): Step {
  return { attacks, holdSeconds: seconds, limitSeconds: Math.max(LEAST_LIMIT_SECONDS, seconds) };
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.int(left.length), 1));
}
