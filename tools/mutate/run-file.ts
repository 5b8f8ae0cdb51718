import type { Failure } from '../failures-reporter.ts';
import { runTests } from '../run/run-tests.ts';

const REPORTER = new URL('../failures-reporter.ts', import.meta.url).href;
/** What is ended after its time has no work left that would be worth waiting for. */
const GRACE_MS = 500;

export type FileResult =
  | { readonly outcome: 'passed'; readonly ms: number }
  /** `test` is the name of the first test that failed. */
  | { readonly outcome: 'failed'; readonly ms: number; readonly test: string }
  | { readonly outcome: 'hung'; readonly ms: number };

export interface FileRun {
  /** Where the tree is. */
  readonly cwd: string;
  /** The test file, below `cwd`. */
  readonly file: string;
  readonly limitMs: number;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Runs one test file in a tree, and says how it ended. */
export async function runFile({ cwd, file, limitMs, env, signal }: FileRun): Promise<FileResult> {
  const started = performance.now();
  const chunks: Buffer[] = [];
  const { passed, hung } = await runTests({
    files: [file],
    cwd,
    signal,
    env,
    concurrency: 1,
    fileLimitMs: limitMs,
    graceMs: GRACE_MS,
    reporter: REPORTER,
    onOutput: (chunk) => chunks.push(chunk),
    onHung: () => {},
  });
  signal.throwIfAborted();
  const ms = Math.round(performance.now() - started);
  if (passed) return { outcome: 'passed', ms };
  const failures = failuresOf(Buffer.concat(chunks).toString('utf8'));
  // Node ends a test that hangs a little before its file.
  const timedOut = failures.some(({ error }) => error.startsWith('test timed out after'));
  if (hung.length > 0 || timedOut) return { outcome: 'hung', ms };
  return { outcome: 'failed', ms, test: failures[0]?.test ?? file };
}

function failuresOf(output: string): Failure[] {
  const failures: Failure[] = [];
  for (const line of output.split('\n')) {
    if (!line.startsWith('{')) continue;
    // The reporter above wrote it.
    failures.push(JSON.parse(line) as Failure);
  }
  return failures;
}
