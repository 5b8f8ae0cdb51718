import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import {
  type Explorer,
  execExplorer,
  failureText,
  type Outcome,
  type Plan,
  type Simulation,
  timelineText,
} from '@windlass/simulation';
import { kept } from './results.ts';
import { isLong, times } from './settings.ts';

/** What Sieve found operators to break under. Each operator has a plan for each. */
const PATTERNS = ['stale-state', 'unobserved-state', 'intermediate-state'];
const SEEDS = 10;

/**
 * Runs an operator under Sieve's three patterns, and under the plans of seeds when `--long` is given.
 * @param commandOf the command; it may build the program
 * @param plans the folder of its plans
 */
export function operatorTests(
  title: string,
  { name, options }: Simulation,
  { plans = name, commandOf }: { readonly plans?: string; readonly commandOf: () => Promise<string> },
): void {
  describe(title, () => {
    let explorer: Explorer;
    before(async () => {
      explorer = execExplorer(options, { command: await commandOf() });
    });
    for (const pattern of PATTERNS)
      for (const time of titlesOf(pattern))
        test(time, async () => {
          const file = join(import.meta.dirname, 'plans', plans, `${pattern}.json`);
          // The run checks every field of it.
          const plan = JSON.parse(await readFile(file, 'utf8')) as Plan;
          fine(await kept(title, pattern, await explorer.run(1, { plan, traced: true })));
        });
    const long = isLong ? {} : { skip: 'it takes minutes; npm run test:sim-exec -- --long runs it' };
    for (let seed = 1; seed <= SEEDS; seed++)
      test(`seed ${seed}`, long, async () =>
        fine(await kept(title, `seed ${seed}`, await explorer.run(seed, { traced: true }))),
      );
  });
}

/** Fails with the timeline of a run that did. */
export function fine(outcome: Outcome): void {
  assert.equal(outcome.failure, undefined, `${failureText(outcome)}${timelineText(outcome)}`);
}

/** Fails unless this invariant was broken, in this way. */
export function breaks({ failure }: Outcome, invariant: string, message: RegExp): void {
  assert.equal(failure?.name, invariant);
  assert.match(failure.message, message);
}

/** A title for each time that a plan is run. */
export function titlesOf(title: string): string[] {
  return Array.from({ length: times }, (_, index) =>
    times === 1 ? title : `${title}, ${index + 1} of ${times}`,
  );
}
