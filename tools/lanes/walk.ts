// `npm run test:walk`: the README as a newcomer takes it, see tests/walk. Needs git, npm's registry and kubectl. What is
// cloned is what is committed.
import { findProgram, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { runProgram } from '../run/program.ts';
import { runTests } from '../run/run-tests.ts';

/** It installs and tests a clone. */
const FILE_LIMIT_MS = 24 * 60_000;

async function main(signal: AbortSignal): Promise<number> {
  const missing: string[] = [];
  for (const program of ['git', 'npm', 'kubectl'])
    if ((await findProgram(program)) === undefined) missing.push(program);
  if (missing.length > 0) {
    console.error(`test:walk: not run: there is no ${missing.join(' and no ')}`);
    return SKIP_EXIT_CODE;
  }
  const files = ['tests/walk/readme.walk.ts'];
  const { passed } = await runTests({ files, signal, reporter: 'spec', fileLimitMs: FILE_LIMIT_MS });
  return passed ? 0 : 1;
}

await runProgram(main);
