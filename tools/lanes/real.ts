// `npm run test:real`: tests/real/*.real.ts against a real etcd and kube-apiserver, started once for all.
// `npm run test:real -- PATTERN...` runs only the files whose path contains one of these.
// `npm run test:real -- [PATTERN...] --seeds 10 [--from N]` runs those whose cases follow from WINDLASS_SEED, once for
// each of so many seeds, each time against servers that are new.
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { InvalidArgumentError } from '@windlass/base';
import { MissingNeedError, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { type RealCluster, startRealCluster } from '../../tests/real/harness/real-cluster.ts';
import { sharedEnvironment } from '../../tests/real/harness/shared-cluster.ts';
import { runProgram } from '../run/program.ts';
import { runTests } from '../run/run-tests.ts';
import { failuresOf, runSeeds, wholeOption } from '../run/seeds.ts';
import { seedDependent } from '../run/test-files.ts';

const started = performance.now();
const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
const log = (line: string): void => console.error(`test:real: ${line}`);
/** The first run of a file may compile the Go programs that it compares with. */
const FILE_LIMIT_MS = 20 * 60_000;

async function main(signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seeds: { type: 'string' }, from: { type: 'string' } },
  });
  const count = wholeOption('seeds', values.seeds, {
    byDefault: 0,
    least: values.seeds === undefined ? 0 : 1,
  });
  const from = wholeOption('from', values.from, { byDefault: 1, least: Number.MIN_SAFE_INTEGER });
  if (values.from !== undefined && count === 0)
    throw new InvalidArgumentError('--from', values.from, 'given together with --seeds');
  const found = filesOf(positionals);
  const files = count === 0 ? found : seedDependent(repositoryRoot, found);
  if (files.length === 0) {
    const which = positionals.length === 0 ? '' : ` has ${positionals.join(' or ')} in its path`;
    log(`no file tests/real/*.real.ts${which}${found.length === 0 ? '' : ' and random cases'}`);
    return 2;
  }
  try {
    return await (count === 0 ? runOnce(files, signal) : runManySeeds(files, { from, count }, signal));
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
}

function filesOf(patterns: readonly string[]): string[] {
  return globSync('tests/real/*.real.ts', { cwd: repositoryRoot })
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
    .sort();
}

const filesText = ({ length }: readonly string[]): string => (length === 1 ? '1 file' : `${length} files`);

async function runOnce(files: readonly string[], signal: AbortSignal): Promise<number> {
  const { passed, logFolder } = await withCluster(signal, async (cluster) => {
    log(`${cluster.server} serves after ${elapsed()}`);
    const env = { ...process.env, ...(await sharedEnvironment(cluster)) };
    const result = await runTests({ files, signal, env, fileLimitMs: FILE_LIMIT_MS });
    return { passed: result.passed, logFolder: cluster.logFolder };
  });
  log(`${passed ? 'passed' : `FAILED (logs: ${logFolder})`}: ${filesText(files)} in ${elapsed()}`);
  return passed ? 0 : 1;
}

function runManySeeds(
  files: readonly string[],
  { from, count }: { readonly from: number; readonly count: number },
  signal: AbortSignal,
): Promise<number> {
  log(`${filesText(files)}, seeds ${from} to ${from + count - 1}`);
  return runSeeds({
    name: 'test:real',
    from,
    count,
    signal,
    again: 'WINDLASS_SEED=N npm run test:real -- FILE',
    run: async (seed) => {
      const { failures } = await withCluster(signal, async (cluster) => {
        const env = { ...process.env, ...(await sharedEnvironment(cluster)) };
        const found = await failuresOf(seed, { files, signal, env, fileLimitMs: FILE_LIMIT_MS });
        return { passed: found.length === 0, failures: found };
      });
      return failures;
    },
  });
}

/** The logs of the servers are kept when something failed. */
async function withCluster<T extends { readonly passed: boolean }>(
  signal: AbortSignal,
  use: (cluster: RealCluster) => Promise<T>,
): Promise<T> {
  const cluster = await startRealCluster({ signal, log });
  let passed = false;
  try {
    const result = await use(cluster);
    ({ passed } = result);
    return result;
  } finally {
    await cluster.stop({ keepLogs: !passed });
  }
}

await runProgram(main);
