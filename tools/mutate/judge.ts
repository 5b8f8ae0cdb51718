import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Baseline, BaselineResult } from './baseline.ts';
import { isExecuted, readCoverage } from './coverage.ts';
import { type FileResult, runFile } from './run-file.ts';
import { applyEdit, type Site } from './sites.ts';
import type { TreeCopy } from './tree-copy.ts';

export type Verdict =
  /** `test` of `file` failed. */
  | { readonly kind: 'killed'; readonly file: string; readonly test: string }
  /** `file` was not done in time. */
  | { readonly kind: 'timed out'; readonly file: string }
  /** All of `files` passed; with none, no test that was looked at executes the line. */
  | { readonly kind: 'survived'; readonly files: readonly string[] }
  /** Each test that reaches the source fails without the mutant too. */
  | { readonly kind: 'not run'; readonly files: readonly string[] };

export interface JudgeOptions {
  readonly baseline: Baseline;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** How many test files are run for one mutant. @default 12 */
  readonly mostFiles?: number;
  /** How many test files are looked at for one mutant, to find those that execute the line. @default 60 */
  readonly mostLooks?: number;
  /**
   * After this time with the mutant no further test file is begun for it, and neither after this time spent on runs
   * without it. @default 180000
   */
  readonly mutantMs?: number;
  /** A test file has at least this time. @default 30000 */
  readonly leastLimitMs?: number;
  /** Every time limit is multiplied by it, for a machine on which others work too. @default 1 */
  readonly patience?: number;
}

const DEFAULT_MOST_FILES = 12;
const DEFAULT_MOST_LOOKS = 60;
const DEFAULT_MUTANT_MS = 180_000;
const DEFAULT_LEAST_LIMIT_MS = 30_000;
/** A mutant may make a test slower, and the machine may be busy; only one that takes this many times as long hangs. */
const SLOWER = 6;
/** Without a mutant a test file has as long as in `npm test`. */
const BASELINE_LIMIT_MS = 300_000;

/** Runs those of `tests` that execute the site on the mutant, one after the other, until one of them fails. */
export async function judge(
  site: Site,
  tests: readonly string[],
  copy: TreeCopy,
  options: JudgeOptions,
): Promise<Verdict> {
  const { mostFiles = DEFAULT_MOST_FILES, mostLooks = DEFAULT_MOST_LOOKS } = options;
  const { leastLimitMs = DEFAULT_LEAST_LIMIT_MS, patience = 1, baseline } = options;
  const mutantMs = (options.mutantMs ?? DEFAULT_MUTANT_MS) * patience;
  const mutated = applyEdit(await readFile(join(copy.path, site.file), 'utf8'), site.edit);
  const passed: string[] = [];
  const failing: string[] = [];
  let [spentMs, lookedMs] = [0, 0];
  for (const file of tests.slice(0, mostLooks)) {
    if (passed.length >= mostFiles || spentMs > mutantMs || lookedMs > mutantMs) break;
    const started = performance.now();
    const before = await baseline.of(file, (test) => measure(test, copy, options));
    lookedMs += performance.now() - started;
    if (!before.passed) {
      failing.push(file);
      continue;
    }
    if (!isExecuted(before.executed, site.file, site.edit.start)) continue;
    const limitMs = patience * Math.min(BASELINE_LIMIT_MS, Math.max(leastLimitMs, before.ms * SLOWER));
    const result = await copy.during(site.file, mutated, async () => {
      const first = await run(file, copy, limitMs, options);
      // A test that measures time may fail by accident. What fails twice fails because of the mutant.
      return first.outcome === 'failed' ? run(file, copy, limitMs, options) : first;
    });
    if (result.outcome === 'failed') return { kind: 'killed', file, test: result.test };
    if (result.outcome === 'hung') return { kind: 'timed out', file };
    spentMs += result.ms;
    passed.push(file);
  }
  if (passed.length === 0 && failing.length > 0) return { kind: 'not run', files: failing };
  return { kind: 'survived', files: passed };
}

function run(file: string, copy: TreeCopy, limitMs: number, options: JudgeOptions): Promise<FileResult> {
  const { env, signal } = options;
  return runFile({ cwd: copy.path, file, limitMs, env, signal });
}

/** Runs a test file without a mutant, with a note of what it executes. */
async function measure(test: string, copy: TreeCopy, options: JudgeOptions): Promise<BaselineResult> {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-coverage-'));
  try {
    const env = { ...options.env, NODE_V8_COVERAGE: folder };
    const limitMs = BASELINE_LIMIT_MS * (options.patience ?? 1);
    const result = await run(test, copy, limitMs, { ...options, env });
    if (result.outcome !== 'passed') return { passed: false };
    return { passed: true, ms: result.ms, executed: await readCoverage(folder, copy.path) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
