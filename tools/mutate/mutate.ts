import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFiles } from '../run/test-files.ts';
import { Baseline } from './baseline.ts';
import { ImportGraph } from './import-graph.ts';
import { type JudgeOptions, judge } from './judge.ts';
import { nearestTests } from './nearest-tests.ts';
import type { Options, Scope } from './options.ts';
import { pickAgain, pickSites } from './pick.ts';
import type { Judged } from './report.ts';
import { isValid, requiredArgumentsOf, type Site, sitesIn } from './sites.ts';
import { parseTypeScript } from './syntax.ts';
import { TreeCopy } from './tree-copy.ts';

export interface MutateOptions
  extends Omit<Options, 'jsonFile' | 'patience'>,
    Pick<JudgeOptions, 'signal' | 'mostFiles' | 'mostLooks' | 'mutantMs' | 'leastLimitMs' | 'patience'> {
  readonly root: string;
  /** Keeps how the test files do without a mutant. */
  readonly cacheFolder: string;
  readonly onPicked?: (picked: number, all: number) => void;
  readonly onJudged?: (judged: Judged, done: number, count: number) => void;
}

/** Sources that no test judges: tests and their helpers, generated files, and files of types alone. */
const NO_SOURCE = /\.test\.ts$|[/-]testing\.ts$|\/testing\/|\/generated\/|\/testdata\/|\.d\.ts$|\/types\.ts$/;
/** Random tests take the same cases with and without a mutant. */
const SEED = '1';

/** Picks mutants, judges each, and answers the verdicts in the order of the pick. */
export async function mutate(options: MutateOptions): Promise<Judged[]> {
  const { count, seed, jobs, signal, scopes } = options;
  // Everything is read from the first copy: whoever works in the tree meanwhile changes nothing here.
  await using first = await TreeCopy.of(options.root);
  const root = first.path;
  const all = allSites(root, scopes);
  const oneLine = scopes.some(({ line }) => line !== undefined);
  const accepts = (site: Site): boolean => isValid(site, readFileSync(join(root, site.file), 'utf8'));
  const { againFile } = options;
  const picked =
    againFile !== undefined
      ? pickAgain(all, readJudged(againFile))
      : oneLine
        ? all.filter(accepts).slice(0, count)
        : pickSites(all, { count, seed, accepts });
  options.onPicked?.(picked.length, all.length);
  const graph = new ImportGraph(root);
  const tests = new Set(testFiles(root));
  const baseline = new Baseline({ root, graph, cacheFolder: options.cacheFolder });
  const judged: (Judged | undefined)[] = picked.map(() => undefined);
  let next = 0;
  let done = 0;
  const work = async (copy: TreeCopy): Promise<void> => {
    const env = environmentFor(copy);
    for (let index = next++; index < picked.length; index = next++) {
      const site = picked[index];
      if (site === undefined || signal.aborted) return;
      const started = performance.now();
      const nearest = nearestTests(graph, site.file, tests);
      const verdict = await judge(site, nearest, copy, { ...options, baseline, env });
      const each = { site, verdict, seconds: (performance.now() - started) / 1000 };
      judged[index] = each;
      options.onJudged?.(each, ++done, picked.length);
    }
  };
  const workInCopy = async (): Promise<void> => {
    await using copy = await TreeCopy.of(root);
    await work(copy);
  };
  await Promise.all(Array.from({ length: Math.min(jobs, picked.length) }, workInCopy));
  return judged.filter((each) => each !== undefined);
}

function readJudged(path: string): readonly Judged[] {
  // A run of this program wrote it.
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly judged: readonly Judged[] }).judged;
}

function environmentFor(copy: TreeCopy): NodeJS.ProcessEnv {
  return {
    WINDLASS_SEED: SEED,
    ...process.env,
    // What Node made of the sources is kept for this copy only, whose paths nobody else has.
    NODE_COMPILE_CACHE: join(copy.path, 'node_modules/.cache/compiled'),
    NODE_TEST_CONTEXT: undefined,
  };
}

function allSites(root: string, scopes: readonly Scope[]): Site[] {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const files = globSync('packages/*/src/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
    .filter((file) => !NO_SOURCE.test(file))
    .sort();
  const required = requiredArgumentsOf(files.map((file) => parseTypeScript(file, read(file)).program));
  return files.flatMap((file) => {
    const wanted = scopes.filter(({ path }) => file === path || file.startsWith(`${path}/`));
    if (wanted.length === 0) return [];
    const sites = sitesIn(file, read(file), required);
    return wanted.some(({ line }) => line === undefined)
      ? sites
      : sites.filter((site) => wanted.some(({ line }) => line === site.line));
  });
}
