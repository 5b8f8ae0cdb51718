// `npm run test:console`: tests/console/*.console.ts, the live console in a real browser.
// `npm run test:console -- PATTERN` runs only the files whose path contains PATTERN.
import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { findBrowser } from '../../tests/console/browser/browser.ts';
import { SCREENSHOTS } from '../../tests/console/screenshots.ts';
import { MissingNeedError, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { runProgram } from '../run/program.ts';
import { runTests } from '../run/run-tests.ts';
import { installPackages } from './packages.ts';

const log = (line: string): void => console.error(`test:console: ${line}`);

/** Without a font of the distribution a browser draws no text. */
const PACKAGES = ['chromium', 'fonts-dejavu-core'];

async function main(pattern: string | undefined, signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const files = globSync('tests/console/*.console.ts', { cwd: repositoryRoot })
    .filter((file) => pattern === undefined || file.includes(pattern))
    .sort();
  if (files.length === 0) {
    log(`no file tests/console/*.console.ts has "${pattern ?? ''}" in its path`);
    return 2;
  }
  try {
    if ((await findBrowser()) === undefined) await installPackages(PACKAGES, log);
    if ((await findBrowser()) === undefined) throw new MissingNeedError('it needs Chromium');
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
  await rm(SCREENSHOTS, { recursive: true, force: true });
  // One at a time: some measure how quick the page is.
  const { passed } = await runTests({ files, signal, concurrency: 1 });
  log(`what it looked like is in ${relative(process.cwd(), SCREENSHOTS)}`);
  log(`${passed ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return passed ? 0 : 1;
}

await runProgram((signal) => main(process.argv[2], signal));
