// Which seeds a test runs. `WINDLASS_SEED` chooses the random cases of all tests at once, those of fast-check
// (tools/seed.ts) and those of tests that make their own from a seed, which ask here.
import { InvalidArgumentError } from '../errors.ts';
import { systemRandom } from '../random.ts';

const SEED = 'WINDLASS_SEED';
const COUNT = 'WINDLASS_SEEDS';

type Environment = Readonly<Record<string, string | undefined>>;

/** The seed that the environment names, if it does. Throws if it is no whole number. */
export function seedOf(environment: Environment, name: string = SEED): number | undefined {
  const text = environment[name];
  if (text === undefined) return undefined;
  const seed = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(seed))
    throw new InvalidArgumentError(name, text, 'a whole number');
  // Minus zero is a seed of its own to nobody.
  return seed + 0;
}

/**
 * The seed of a test with one random workload: `WINDLASS_SEED`, else `byDefault`, else a new one each time. The
 * caller puts it into the title or the failure.
 */
export function testSeed(byDefault?: number, environment: Environment = process.env): number {
  return seedOf(environment) ?? byDefault ?? systemRandom.int(2 ** 31);
}

export interface TestSeedsOptions {
  /** Seeds that failed once, which always run. */
  readonly remembered?: readonly number[];
  /** @default process.env */
  readonly environment?: Environment;
}

/**
 * The seeds of a test that runs a story for each of `count`, or as many as `WINDLASS_SEEDS` says: the first ones,
 * and with `WINDLASS_SEED=n` the n-th block of as many, so that two values have no seed in common.
 */
export function testSeeds(count: number, options: TestSeedsOptions = {}): readonly number[] {
  const { remembered = [], environment = process.env } = options;
  const wanted = environment[COUNT];
  const length = wanted === undefined ? count : Number(wanted);
  if (!Number.isSafeInteger(length) || length < 1)
    throw new InvalidArgumentError(COUNT, wanted, 'a whole number of at least 1');
  const first = (seedOf(environment) ?? 0) * length;
  const block = Array.from({ length }, (_, at) => first + at);
  // Somebody who asks for a number of seeds wants those and no others.
  return wanted === undefined ? [...new Set([...remembered, ...block])] : block;
}

/** For the message of a failure: how to run one of `testSeeds` alone. */
export function runAlone(seed: number): string {
  return `seed ${seed}; run it alone with ${SEED}=${seed} ${COUNT}=1`;
}
