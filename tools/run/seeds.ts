// The same tests once for each of many seeds, for `npm run test:seeds` and `npm run test:real -- --seeds N`.
import { InvalidArgumentError } from '@windlass/base';
import type { Failure } from '../failures-reporter.ts';
import { runTests, type TestRunOptions } from './run-tests.ts';

const REPORTER = new URL('../failures-reporter.ts', import.meta.url).href;

export interface SeedRuns {
  /** Of the program, before each line that sums up. */
  readonly name: string;
  readonly from: number;
  readonly count: number;
  /** No seed is begun after that time. @default none */
  readonly limitSeconds?: number;
  /** Once it is aborted, what the rest would have said is not known. */
  readonly signal: AbortSignal;
  /** How to run one seed alone, with N in its place. */
  readonly again: string;
  /** What failed with this seed. */
  readonly run: (seed: number) => Promise<readonly Failure[]>;
  /** @default console.log */
  readonly log?: (line: string) => void;
}

/** Runs all seeds, also after one that failed, and says what failed with each. The exit code. */
export async function runSeeds(options: SeedRuns): Promise<number> {
  const { name, from, count, signal, again, run } = options;
  const { limitSeconds = Number.POSITIVE_INFINITY, log = console.log } = options;
  const started = performance.now();
  const failed: number[] = [];
  let ran = 0;
  for (let seed = from; seed < from + count; seed++) {
    const begun = performance.now();
    if (signal.aborted || begun - started > limitSeconds * 1000) break;
    const failures = await run(seed);
    if (signal.aborted) break;
    ran++;
    if (failures.length > 0) failed.push(seed);
    for (const line of linesOf(seed, failures, performance.now() - begun)) log(line);
  }
  if (signal.aborted) return 1;
  const rest = ran < count ? `; ${count - ran} were not begun after ${limitSeconds} s` : '';
  log(
    failed.length === 0
      ? `${name}: all ${ran} seeds passed${rest}`
      : `${name}: ${failed.length} of ${ran} seeds FAILED: ${failed.join(', ')}${rest}. Once more: ${again}`,
  );
  return failed.length === 0 ? 0 : 1;
}

function linesOf(seed: number, failures: readonly Failure[], tookMs: number): string[] {
  const names = failures.map(({ file, test }) => `${file}: ${test}`).join('; ');
  const outcome = failures.length === 0 ? 'passed' : 'FAILED';
  return [
    `seed ${seed}: ${outcome} in ${(tookMs / 1000).toFixed(0)} s ${names}`.trimEnd(),
    ...failures.map(({ file, error }) => `  ${file}\n    ${error.replaceAll('\n', '\n    ')}`),
  ];
}

/** What failed of a run with this seed, each once. */
export async function failuresOf(
  seed: number,
  options: Omit<TestRunOptions, 'reporter' | 'onOutput'>,
): Promise<readonly Failure[]> {
  const chunks: Buffer[] = [];
  const { passed, hung } = await runTests({
    ...options,
    env: { ...(options.env ?? process.env), WINDLASS_SEED: String(seed) },
    reporter: REPORTER,
    onOutput: (chunk) => chunks.push(chunk),
  });
  const lines = Buffer.concat(chunks).toString('utf8').split('\n').filter(Boolean);
  // The reporter of the line above wrote them.
  const failures = lines.map((line) => JSON.parse(line) as Failure);
  const inHung = hung.map((file) => ({ file, test: 'hung', error: 'it was not done in time' }));
  if (!passed && lines.length + hung.length === 0)
    return [{ file: '', test: 'node --test', error: 'it failed without naming a test' }];
  return [...failures, ...inHung];
}

/** The value of an option that is a whole number, or its default. */
export function wholeOption(
  name: string,
  text: string | undefined,
  { byDefault, least }: { readonly byDefault: number; readonly least: number },
): number {
  const number = Number(text ?? byDefault);
  if (text?.trim() === '' || !Number.isSafeInteger(number) || number < least)
    throw new InvalidArgumentError(`--${name}`, text, `a whole number of at least ${least}`);
  return number;
}
