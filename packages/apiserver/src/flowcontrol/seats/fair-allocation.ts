/** One of those among whom something is divided. */
export interface Claim {
  /** At least `lower`. */
  readonly target: number;
  /** At least 0. */
  readonly lower: number;
  /** At least `lower`. */
  readonly upper: number;
}

export interface Allocation {
  readonly amounts: readonly number[];
  /** What each gets of its target, where its bounds allow. */
  readonly fairFraction: number;
}

/** A target of 0 counts as this much, so that it can be divided by. */
const MIN_TARGET = 0.001;
const EPSILON = 1e-7;

/**
 * Divides `sum` so that everybody gets the same fraction of its target, but no less than its lower bound and no more
 * than its upper one. There is one such fraction. Undefined when the bounds allow none.
 */
export function allocateFairly(sum: number, claims: readonly Claim[]): Allocation | undefined {
  const targets = claims.map(({ target }) => Math.max(target, MIN_TARGET));
  const amountsAt = (fraction: number): number[] =>
    claims.map(({ lower, upper }, index) =>
      Math.max(lower, Math.min(upper, fraction * (targets[index] ?? 0))),
    );
  const lowest = total(claims.map(({ lower }) => lower));
  const highest = total(claims.map(({ upper }) => upper));
  if (lowest - sum > EPSILON || sum - highest > EPSILON) return undefined;
  if (sum === 0) return { amounts: claims.map(() => 0), fairFraction: 0 };
  // Between two of these fractions the sum grows in a straight line.
  const bends = claims
    .flatMap(({ lower, upper }, index) => [lower, upper].map((bound) => bound / (targets[index] ?? 1)))
    .toSorted((a, b) => a - b);
  let [before = 0] = bends;
  for (const bend of bends) {
    if (total(amountsAt(bend)) < sum - EPSILON) {
      before = bend;
      continue;
    }
    const fairFraction = between(before, bend, sum, (fraction) => total(amountsAt(fraction)));
    return { amounts: amountsAt(fairFraction), fairFraction };
  }
  const last = bends.at(-1) ?? 0;
  return { amounts: amountsAt(last), fairFraction: last };
}

/** Where a straight line from one fraction to the next reaches the sum. */
function between(from: number, to: number, sum: number, sumAt: (fraction: number) => number): number {
  const low = sumAt(from);
  const high = sumAt(to);
  return high - low < EPSILON ? to : from + ((to - from) * (sum - low)) / (high - low);
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
