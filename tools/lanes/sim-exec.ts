// `npm run test:sim-exec`: tests/sim-exec/*.sim.ts, real programs under plans of faults, in real time. See HELP.
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InvalidArgumentError } from '@windlass/base';
import { ensureKubernetesProgram } from '../../tests/real/harness/kubernetes-program.ts';
import { MissingNeedError, needGo, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { RESULTS_FILE, readResults, resultTable } from '../../tests/sim-exec/results.ts';
import { kubernetesReleases, SETTINGS } from '../../tests/sim-exec/settings.ts';
import { runProgram } from '../run/program.ts';
import { runTests } from '../run/run-tests.ts';
import { wholeOption } from '../run/seeds.ts';

const HELP = `npm run test:sim-exec -- [PATTERN] [--long] [--times N] [--kubernetes VERSION,...]

Runs the files tests/sim-exec/*.sim.ts whose path contains PATTERN, and prints what each run came to.

  --long        also what takes more than some minutes: seeds 1 to 10, and kube-controller-manager of every release
  --times N     each plan so often: the time is real, and what happens can differ
  --kubernetes  the releases for --long, as v1.35.8

It needs Go, which builds the programs from their published modules, once.`;
const log = (line: string): void => console.error(`test:sim-exec: ${line}`);
const MINUTE_MS = 60_000;
/** The first run of a file compiles its program. */
const FILE_LIMIT_MS = 25 * MINUTE_MS;
/** What all runs of a file take with --long, once. */
const LONG_LIMIT_MS = 60 * MINUTE_MS;
const RELEASE = /^v1\.\d+\.\d+$/;

async function main(signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      long: { type: 'boolean', default: false },
      times: { type: 'string' },
      kubernetes: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const [pattern = ''] = positionals;
  const times = wholeOption('times', values.times, { byDefault: 1, least: 1 });
  const started = performance.now();
  const files = globSync('tests/sim-exec/*.sim.ts', { cwd: repositoryRoot })
    .filter((file) => file.includes(pattern))
    .sort();
  if (files.length === 0) {
    log(`no file tests/sim-exec/*.sim.ts has "${pattern}" in its path`);
    return 2;
  }
  setEnvironment({ ...values, times });
  try {
    await needGo('the programs from their published modules');
    // Minutes each, which are no part of what a file may take.
    if (values.long && files.some((file) => file.includes('stale-replica-sets')))
      for (const release of kubernetesReleases())
        await ensureKubernetesProgram('kube-controller-manager', log, release);
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
  const folder = await mkdtemp(join(tmpdir(), 'windlass-sim-exec-'));
  const results = join(folder, 'results');
  try {
    const { passed } = await runTests({
      files,
      signal,
      env: { ...process.env, [RESULTS_FILE]: results },
      fileLimitMs: values.long ? LONG_LIMIT_MS * times : FILE_LIMIT_MS * times,
      // One file at a time: their time is real.
      concurrency: 1,
    });
    console.log(`\n${resultTable(await readResults(results))}\n`);
    log(`${passed ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return passed ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Settings {
  readonly long: boolean;
  readonly times: number;
  readonly kubernetes?: string | undefined;
}

/** For the files, and for what is built here. */
function setEnvironment({ long, times, kubernetes }: Settings): void {
  const wrong = kubernetes?.split(',').find((release) => !RELEASE.test(release));
  if (wrong !== undefined) throw new InvalidArgumentError('--kubernetes', wrong, 'releases such as v1.35.8');
  process.env[SETTINGS.long] = long ? '1' : '0';
  process.env[SETTINGS.times] = String(times);
  if (kubernetes !== undefined) process.env[SETTINGS.kubernetes] = kubernetes;
}

await runProgram(main);
