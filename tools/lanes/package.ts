// `npm run test:package`: the tarball that would be published, see tests/package. Needs npm and its registry.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { MissingNeedError, run, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';

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

try {
  await installCheckers();
  const files = globSync('tests/package/*.package.ts', { cwd: repositoryRoot }).sort();
  const flags = ['--test', '--test-reporter=spec'];
  const { status } = spawnSync(process.execPath, [...flags, ...files], {
    cwd: repositoryRoot,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} catch (error) {
  if (!(error instanceof MissingNeedError)) throw error;
  log(`not run: ${error.message}`);
  process.exitCode = SKIP_EXIT_CODE;
}
