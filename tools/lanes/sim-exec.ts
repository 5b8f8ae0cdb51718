// `npm run test:sim-exec`: tests/sim-exec/*.sim.ts, real programs under plans of faults, in real time.
// `npm run test:sim-exec -- [PATTERN] [--long]` runs only the files whose path contains PATTERN; `--long` also what takes
// more than five minutes.
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MissingNeedError, needGo, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { runProgram } from '../run/program.ts';
import { runTests } from '../run/run-tests.ts';

const log = (line: string): void => console.error(`test:sim-exec: ${line}`);
/** The first run compiles kube-controller-manager. */
const FILE_LIMIT_MS = 25 * 60_000;

async function main(signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { long: { type: 'boolean', default: false } },
  });
  const [pattern = ''] = positionals;
  const started = performance.now();
  const files = globSync('tests/sim-exec/*.sim.ts', { cwd: repositoryRoot })
    .filter((file) => file.includes(pattern))
    .sort();
  if (files.length === 0) {
    log(`no file tests/sim-exec/*.sim.ts has "${pattern}" in its path`);
    return 2;
  }
  try {
    await needGo('kube-controller-manager and sample-controller');
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
  const env = { ...process.env, WINDLASS_SIM_LONG: values.long ? '1' : '0' };
  // One file at a time: their time is real.
  const { passed } = await runTests({ files, signal, env, fileLimitMs: FILE_LIMIT_MS, concurrency: 1 });
  log(`${passed ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return passed ? 0 : 1;
}

await runProgram(main);
