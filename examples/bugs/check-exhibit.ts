// What holds for each bug and each fix, for `npm test` and for the long form, `npm run test:gallery`.
import assert from 'node:assert/strict';
import { Explorer, failureText, type Outcome } from '@windlass/simulation';
import { type Exhibit, simulationOf } from './gallery.ts';

/** A bug must be found within so many seeds. */
const FOUND_WITHIN = 200;
/** And its smallest plan has at most so many faults. */
const MAX_FAULTS = 3;

/**
 * Looks for the first seed that shows the bug, and shrinks its plan.
 * @param hint a seed that is tried before all others
 * @throws when it is not as the gallery says
 */
export async function checkBug({ name, oracle }: Exhibit, hint?: number): Promise<Outcome> {
  const { options } = await simulationOf(name, 'bug');
  const explorer = new Explorer(options);
  const seeds = Array.from({ length: FOUND_WITHIN }, (_, index) => index + 1);
  for (const seed of hint === undefined ? seeds : [hint, ...seeds]) {
    const outcome = await explorer.run(seed);
    if (outcome.failure === undefined) continue;
    const shrunk = await explorer.shrink(outcome);
    assert.equal(shrunk.failure?.oracle, oracle, failureText(shrunk));
    assert.ok(shrunk.plan.length <= MAX_FAULTS, failureText(shrunk));
    return shrunk;
  }
  return assert.fail(`the bug of ${name} is not found within ${FOUND_WITHIN} seeds`);
}

/** @throws when a seed breaks the fix, with the smallest plan that does */
export async function checkFix(
  { name }: Exhibit,
  seeds: Iterable<number>,
  onSeed: () => void = () => {},
): Promise<void> {
  const { options } = await simulationOf(name, 'fixed');
  const explorer = new Explorer(options);
  for (const seed of seeds) {
    const outcome = await explorer.run(seed);
    if (outcome.failure !== undefined) assert.fail(failureText(await explorer.shrink(outcome)));
    onSeed();
  }
}
