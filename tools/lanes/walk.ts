// `npm run test:walk`: the README as a newcomer takes it, see tests/walk. Needs git, npm's registry and kubectl. What is
// cloned is what is committed.
import { spawnSync } from 'node:child_process';
import { findProgram, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';

const missing: string[] = [];
for (const program of ['git', 'npm', 'kubectl'])
  if ((await findProgram(program)) === undefined) missing.push(program);
if (missing.length > 0) {
  console.error(`test:walk: not run: there is no ${missing.join(' and no ')}`);
  process.exitCode = SKIP_EXIT_CODE;
} else {
  const flags = ['--test', '--test-reporter=spec', 'tests/walk/readme.walk.ts'];
  const { status } = spawnSync(process.execPath, flags, { cwd: repositoryRoot, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
