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

/** What registers a test: `test` of `node:test`, of vitest, of jest. `node:test` has no limit, and ignores it. */
export type RegisterTest = (name: string, body: () => Promise<void>, timeoutMs: number) => unknown;

/** Longer than many seeds take; the five seconds of vitest and jest are not enough. */
const TIMEOUT_MS = 600_000;
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
 * A test that runs a program with many seeds. It registers itself with `node:test`, with jest, and with vitest where that
 * has `globals: true`.
 * @param register `test` of another runner, or of vitest without globals
 */
export function simulationTest(
  name: string,
  options: SimulationTestOptions,
  register: RegisterTest = runnerOf(globalThis, process),
): void {
  register(name, () => simulate(name, options), TIMEOUT_MS);
}

/** What registers tests in the runner that this process is of. */
export function runnerOf(
  scope: object,
  runner: Pick<NodeJS.Process, 'env' | 'getBuiltinModule'>,
): RegisterTest {
  // jest and vitest with globals have it there. It is called as their users call it.
  if ('test' in scope && typeof scope.test === 'function') return scope.test as RegisterTest;
  if (runner.env['VITEST'] !== undefined)
    throw new WindlassError(
      "simulationTest does not find vitest's test; give it as third argument, or set globals: true in vitest's configuration",
      { code: 'NO_TEST_RUNNER' },
    );
  // At once, because a runner does not wait for what is registered after a file was loaded; and only when it is called,
  // so that this package can be loaded where there is no node:test.
  const { test } = runner.getBuiltinModule('node:test');
  return (title, body) => test(title, body);
}

function firstSeeds(count: number): number[] {
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('seeds', count, 'a whole number of at least 1, or a list of seeds');
  return Array.from({ length: count }, (_, index) => index + 1);
}
