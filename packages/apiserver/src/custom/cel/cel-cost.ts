/** What is left of an evaluation's steps. */
export interface Meter {
  left: number;
}

export const COST_TEXT = 'operation cancelled: actual cost limit exceeded';
/** Looking through a text is much faster than a step for each of its characters. */
export const STEPS_PER_CHARACTER = 0.1;

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
 * @throws Error when there are none left
 */
export function charge(steps: number): void {
  if (running === undefined) return;
  running.left -= steps;
  if (running.left < 0) throw new Error(COST_TEXT);
}
