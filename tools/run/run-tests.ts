// Runs test files with `node --test`, for `npm test` and the lanes.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { seedOf } from '@windlass/base/testing';
import { writeBatches } from './batches.ts';
import { endProcesses } from './end-processes.ts';
import { endHungFiles } from './hung-files.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SEED = new URL('../seed.ts', import.meta.url).href;
/** The slowest file takes a tenth of it on a machine that is not busy. */
const DEFAULT_FILE_LIMIT_MS = 300_000;
/** A test that hangs is ended a little before its file, because its name says more. */
const TEST_SHARE = 0.95;

export interface TestRunOptions {
  /** Paths below `cwd`. */
  readonly files: readonly string[];
  /** Ends the run with all that it started. */
  readonly signal: AbortSignal;
  /**
   * Files share processes where they can, see batches.ts; what imports them is written here.
   * @default each has its own
   */
  readonly batchFolder?: string;
  /** @default the repository */
  readonly cwd?: string;
  /** @default 2 */
  readonly concurrency?: number;
  /** A file that is not done by then is ended, and fails. @default 300000 */
  readonly fileLimitMs?: number;
  /** How long what is ended may take, before it is killed. @default 8000 */
  readonly graceMs?: number;
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv;
  /** A reporter of Node's, or the path of a module. @default `spec` for people and CI, else `dot` */
  readonly reporter?: string;
  /** Takes what the reporter writes, instead of stdout; what the tests write to stderr is then dropped. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** Is told of each file that is not done in time. @default says so on stderr */
  readonly onHung?: (file: string) => void;
}

export interface TestRunResult {
  readonly passed: boolean;
  /** Files that were not done in time. */
  readonly hung: readonly string[];
}

export async function runTests(options: TestRunOptions): Promise<TestRunResult> {
  const { batchFolder, signal, concurrency = 2, fileLimitMs = DEFAULT_FILE_LIMIT_MS, onOutput } = options;
  const { env = process.env, cwd = ROOT, graceMs } = options;
  const files = batchFolder === undefined ? options.files : writeBatches(cwd, options.files, batchFolder);
  const { onHung = (file) => sayHung(file, fileLimitMs) } = options;
  const reporter =
    options.reporter ?? (process.stdout.isTTY || process.env['CI'] !== undefined ? 'spec' : 'dot');
  const flags = [
    '--test',
    `--test-reporter=${reporter}`,
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${Math.round(fileLimitMs * TEST_SHARE)}`,
    '--expose-gc',
    ...(seedOf(env) === undefined ? [] : ['--import', SEED]),
  ];
  signal.throwIfAborted();
  const child = spawn(process.execPath, [...flags, ...files], {
    cwd,
    env,
    stdio: onOutput === undefined ? 'inherit' : ['ignore', 'pipe', 'ignore'],
  });
  const { pid } = child;
  const hung: string[] = [];
  let stopped: Promise<unknown> | undefined;
  const stop = (): void => {
    if (pid !== undefined)
      stopped = endProcesses(pid, { withRoot: true, ...(graceMs !== undefined && { graceMs }) });
  };
  signal.addEventListener('abort', stop, { once: true });
  await using _ =
    pid === undefined
      ? undefined
      : endHungFiles(pid, files, fileLimitMs, (file) => {
          hung.push(file);
          onHung(file);
        });
  try {
    if (onOutput !== undefined) child.stdout?.on('data', onOutput);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    return { passed: code === 0 && hung.length === 0, hung };
  } finally {
    signal.removeEventListener('abort', stop);
    // The child is the first to end. What its files started has no parent then, and only this call knows it.
    await stopped;
    if (batchFolder !== undefined) rmSync(batchFolder, { recursive: true, force: true });
  }
}

function sayHung(file: string, limitMs: number): void {
  console.error(`\n${file} hung: it was not done after ${limitMs / 1000} s, and is ended`);
}
