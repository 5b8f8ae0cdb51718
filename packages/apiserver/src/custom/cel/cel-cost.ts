export const COST_TEXT = 'operation cancelled: actual cost limit exceeded';
/** Looking through a text is much faster than a step for each of its characters. */
export const STEPS_PER_CHARACTER = 0.1;
/** The part of a regular expression's length that makes a text of one step cost more. */
export const STEPS_PER_PATTERN_CHARACTER = 0.25;

/** There are no steps left. Nothing in an expression can make this good. */
export class CostExceeded extends Error {
  constructor() {
    super(COST_TEXT);
  }
}

/** What is left of an evaluation's steps. */
export class Meter {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  /** @throws CostExceeded when there are not as many left */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new CostExceeded();
  }
}

/** Evaluations are synchronous, so there is one at a time, but for those within it. */
let running: Meter | undefined;

/** Lets `work` use up the meter. */
export function metered<T>(meter: Meter, work: () => T): T {
  const outer = running;
  running = meter;
  try {
    return work();
  } finally {
    running = outer;
  }
}

/**
 * For functions that take longer for larger values: that many steps more.
 * @throws CostExceeded when there are none left
 */
export function charge(steps: number): void {
  running?.spend(steps);
}
