// `npm run test:package`: the tarball that would be published, see tests/package. Needs npm and its registry.
import { globSync } from 'node:fs';
import { MissingNeedError, run, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { runProgram } from '../run/program.ts';
import { runTests } from '../run/run-tests.ts';

const log = (line: string): void => console.error(`test:package: ${line}`);

async function installCheckers(): Promise<void> {
  const cwd = new URL('../package-check/', import.meta.url).pathname;
  log('installing what checks it');
  try {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd });
  } catch (cause) {
    throw new MissingNeedError('npm cannot install tools/package-check', { cause });
  }
}

async function main(signal: AbortSignal): Promise<number> {
  try {
    await installCheckers();
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
  const files = globSync('tests/package/*.package.ts', { cwd: repositoryRoot }).sort();
  return (await runTests({ files, signal, reporter: 'spec' })).passed ? 0 : 1;
}

await runProgram(main);
