import { InvalidArgumentError, WindlassError } from '@windlass/base';
import { testToPaste } from './report/paste.ts';
import { failureText, timelineText } from './report/timeline.ts';
import { Explorer } from './run/explorer.ts';
import type { Outcome } from './run/outcome.ts';
import type { SimulationOptions } from './simulation.ts';

/** As `SimulationOptions`, with the seeds of a test. */
export interface SimulationTestOptions extends SimulationOptions {
  /** How many, or which. @default 20 */
  readonly seeds?: number | readonly number[];
}

/** A seed broke the program. The message has the smallest plan, a timeline and a test to paste. */
export class SimulationFailedError extends WindlassError {
  readonly outcome: Outcome;

  constructor(name: string, outcome: Outcome) {
    super(
      `${failureText(outcome)}\n${timelineText(outcome)}\nthe same as a test:\n\n${testToPaste(name, outcome)}`,
      { code: 'SIMULATION_FAILED' },
    );
    this.outcome = outcome;
  }
}

/** What registers a test: `test` of `node:test`, of vitest, of jest. */
export type RegisterTest = (name: string, body: () => Promise<void>) => unknown;

const DEFAULT_SEEDS = 20;

/** Runs the seeds one after the other. @throws SimulationFailedError with the first that breaks the program, shrunk */
export async function simulate(name: string, options: SimulationTestOptions): Promise<void> {
  const { seeds = DEFAULT_SEEDS, ...program } = options;
  const explorer = new Explorer(program);
  for (const seed of typeof seeds === 'number' ? firstSeeds(seeds) : seeds) {
    const outcome = await explorer.run(seed);
    if (outcome.failure !== undefined) throw new SimulationFailedError(name, await explorer.shrink(outcome));
  }
}

/**
 * A test that runs a program with many seeds. Works with `node:test`; for vitest or jest give their `test` as third
 * argument.
 */
export function simulationTest(name: string, options: SimulationTestOptions, register?: RegisterTest): void {
  const body = (): Promise<void> => simulate(name, options);
  if (register !== undefined) return void register(name, body);
  // vitest with globals and jest have it there.
  const { test: found } = globalThis as { readonly test?: RegisterTest };
  if (found !== undefined) return void found(name, body);
  void import('node:test').then(({ test }) => test(name, body));
}

function firstSeeds(count: number): number[] {
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('seeds', count, 'a whole number of at least 1, or a list of seeds');
  return Array.from({ length: count }, (_, index) => index + 1);
}
