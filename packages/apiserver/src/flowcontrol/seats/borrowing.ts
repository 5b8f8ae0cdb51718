import type { LevelLimits } from './concurrency-limits.ts';
import { allocateFairly, type Claim } from './fair-allocation.ts';
import type { DemandStats } from './seat-demand.ts';

/** A priority level when seats are divided anew. */
export interface Borrower {
  readonly isExempt: boolean;
  readonly limits: LevelLimits;
  readonly demand: DemandStats;
  readonly currentLimit: number;
}

export interface BorrowingPlan {
  /** Of each level, in their order. */
  readonly levels: readonly { readonly limit: number; readonly target: number }[];
  readonly fairFraction: number;
}

/**
 * Divides the seats of the server by what each level has wanted lately. What a level does not want others may have, as
 * far as it lends and they may borrow. Exempt levels take what they want; the others divide what is left.
 */
export function planBorrowing(levels: readonly Borrower[]): BorrowingPlan {
  const nominalSum = sum(levels.map(({ limits }) => limits.nominal));
  const floors = levels.map(floorOf);
  const limited = levels.filter(({ isExempt }) => !isExempt);
  const left = nominalSum - sum(floors.filter((_, index) => levels[index]?.isExempt === true));
  const lowerSum = sum(limited.map(({ limits }) => limits.lower));
  const floorSum = sum(floors.filter((_, index) => levels[index]?.isExempt === false));
  const claims = limited.map((level): Claim => {
    const lower = floorOf(level);
    return { lower, upper: level.limits.upper, target: Math.max(lower, level.demand.smoothed) };
  });
  const allocation = left > floorSum ? allocateFairly(nominalSum, claims) : undefined;
  // When exempt requests leave less than everybody wants, each gets the same part of what it wants above its lower limit.
  const scarceFraction =
    left > lowerSum && floorSum > lowerSum ? (left - lowerSum) / (floorSum - lowerSum) : 0;
  const limitOf = (level: Borrower, index: number): number => {
    if (level.isExempt) return floors[index] ?? 0;
    const { lower } = level.limits;
    if (left <= floorSum) return lower + Math.round((floorOf(level) - lower) * scarceFraction);
    const amount = allocation?.amounts[limited.indexOf(level)];
    return amount === undefined ? level.currentLimit : Math.round(amount);
  };
  return {
    levels: levels.map((level, index) => ({
      // Of few seats, rounding may leave a level none. Its requests would wait until seats are divided anew.
      limit: Math.max(limitOf(level, index), Math.min(1, level.limits.nominal)),
      target: level.isExempt ? 0 : (claims[limited.indexOf(level)]?.target ?? 0),
    })),
    fairFraction: allocation?.fairFraction ?? 0,
  };
}

/** What it is not asked to give away: what it has wanted lately, up to its nominal limit if it has one. */
function floorOf({ isExempt, limits, demand }: Borrower): number {
  return Math.max(limits.lower, isExempt ? demand.highest : Math.min(limits.nominal, demand.highest));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
