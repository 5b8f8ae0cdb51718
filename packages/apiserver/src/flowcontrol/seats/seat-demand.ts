/** How many seats a level could have used over a period. */
export interface DemandPeriod {
  readonly seconds: number;
  readonly average: number;
  readonly deviation: number;
  readonly highest: number;
}

/** Follows a number that changes in steps, and tells its mean, its deviation and its highest value over time. */
export class DemandIntegrator {
  #value = 0;
  #highest = 0;
  #sinceMs: number;
  #seconds = 0;
  #sum = 0;
  #sumOfSquares = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  set(nowMs: number, value: number): void {
    this.#advance(nowMs);
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
  }

  /** The period that ends now; the next one begins. */
  next(nowMs: number): DemandPeriod {
    this.#advance(nowMs);
    const seconds = this.#seconds;
    const average = seconds > 0 ? this.#sum / seconds : 0;
    const variance = seconds > 0 ? this.#sumOfSquares / seconds - average * average : 0;
    const period = {
      seconds,
      average,
      deviation: Math.sqrt(Math.max(0, variance)),
      highest: this.#highest,
    };
    this.#seconds = 0;
    this.#sum = 0;
    this.#sumOfSquares = 0;
    this.#highest = this.#value;
    return period;
  }

  #advance(nowMs: number): void {
    const seconds = (nowMs - this.#sinceMs) / 1000;
    this.#sinceMs = nowMs;
    this.#seconds += seconds;
    this.#sum += this.#value * seconds;
    this.#sumOfSquares += this.#value * this.#value * seconds;
  }
}

/** What is known of a level's demand when seats are divided. */
export interface DemandStats {
  readonly average: number;
  readonly deviation: number;
  readonly highest: number;
  /** Rises at once and falls slowly: half of it is gone after five minutes. */
  readonly smoothed: number;
}

export const NO_DEMAND: DemandStats = Object.freeze({ average: 0, deviation: 0, highest: 0, smoothed: 0 });

const SMOOTHING = 0.977;

export function afterPeriod(before: DemandStats, period: DemandPeriod): DemandStats {
  const { average, deviation, highest, seconds } = period;
  if (seconds <= 0) return { ...before, highest };
  const envelope = average + deviation;
  const smoothed = Math.max(envelope, SMOOTHING * before.smoothed + (1 - SMOOTHING) * envelope);
  return { average, deviation, highest, smoothed };
}
