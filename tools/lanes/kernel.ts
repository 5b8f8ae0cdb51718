// `npm run test:kernel`: tests/kernel/*.kernel.ts with real loop devices, XFS and mounts of this machine.
// `npm run test:kernel -- PATTERN` runs only the files whose path contains PATTERN.
import { globSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { detachLeftovers } from '../../tests/kernel/machine.ts';
import { findProgram, MissingNeedError, run, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { runProgram } from '../run/program.ts';
import { runTests } from '../run/run-tests.ts';
import { installPackages } from './packages.ts';

const log = (line: string): void => console.error(`test:kernel: ${line}`);
/** csi-sanity is compiled first. */
const FILE_LIMIT_MS = 15 * 60_000;
const PROGRAMS = ['mkfs.xfs', 'xfs_io', 'xfs_quota', 'xfs_growfs', 'xfs_repair'];

async function requireKernel(): Promise<void> {
  if (process.platform !== 'linux') throw new MissingNeedError('it needs Linux');
  if (process.getuid?.() !== 0) throw new MissingNeedError('it needs root, for mounts and loop devices');
  for (const program of ['losetup', 'mount', 'umount'])
    if ((await findProgram(program)) === undefined)
      throw new MissingNeedError(`it needs "${program}"; install the package "mount"`);
  const missing = await Promise.all(
    PROGRAMS.map(async (program) => (await findProgram(program)) === undefined),
  );
  if (missing.some(Boolean)) await installPackages(['xfsprogs'], log);
  await access('/dev/loop-control').catch(() => {
    throw new MissingNeedError('this kernel, or this container, has no loop devices');
  });
  if (!(await hasXfs())) {
    await run('modprobe', ['xfs']).catch(() => {});
    if (!(await hasXfs())) throw new MissingNeedError('this kernel has no XFS');
  }
}

async function hasXfs(): Promise<boolean> {
  return /\txfs$/m.test(await readFile('/proc/filesystems', 'utf8'));
}

async function main(pattern: string | undefined, signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const files = globSync('tests/kernel/*.kernel.ts', { cwd: repositoryRoot })
    .filter((file) => pattern === undefined || file.includes(pattern))
    .sort();
  if (files.length === 0) {
    log(`no file tests/kernel/*.kernel.ts has "${pattern ?? ''}" in its path`);
    return 2;
  }
  try {
    await requireKernel();
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
  let passed = false;
  try {
    // One at a time: a device that one file makes must not be another's leftover.
    ({ passed } = await runTests({ files, signal, concurrency: 1, fileLimitMs: FILE_LIMIT_MS }));
  } finally {
    const left = await detachLeftovers();
    if (left.length > 0) {
      log(`the tests left behind: ${left.join(', ')}`);
      passed = false;
    }
  }
  log(`${passed ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return passed ? 0 : 1;
}

await runProgram((signal) => main(process.argv[2], signal));
