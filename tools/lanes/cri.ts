// `npm run test:cri`: tests/cri/*.cri.ts, our node agent with a real containerd and runc of this machine.
// `npm run test:cri -- PATTERN` runs only the files whose path contains PATTERN.
import { globSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { detachLeftContainerds, LANE } from '../../tests/cri/harness/leftovers.ts';
import { findProgram, MissingNeedError, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { runProgram } from '../run/program.ts';
import { runTests } from '../run/run-tests.ts';
import { installPackages } from './packages.ts';

const log = (line: string): void => console.error(`test:cri: ${line}`);
const FILE_LIMIT_MS = 10 * 60_000;
/** Debian's, with what is looked for of each. */
const PACKAGES: readonly (readonly [name: string, file: string])[] = [
  ['containerd', '/usr/bin/containerd'],
  ['runc', '/usr/sbin/runc'],
  ['containernetworking-plugins', '/usr/lib/cni/bridge'],
  ['busybox-static', '/bin/busybox'],
  ['iptables', '/usr/sbin/iptables'],
];

async function requireContainers(): Promise<void> {
  if (process.platform !== 'linux') throw new MissingNeedError('it needs Linux');
  if (process.getuid?.() !== 0) throw new MissingNeedError('it needs root, for containers');
  const missing: string[] = [];
  for (const [name, file] of PACKAGES)
    await access(file).catch(() => {
      missing.push(name);
    });
  if (missing.length > 0) await installPackages(missing, log);
  if ((await findProgram('kubectl')) === undefined) throw new MissingNeedError('it needs kubectl on PATH');
  if (!/\toverlay$/m.test(await readFile('/proc/filesystems', 'utf8')))
    throw new MissingNeedError('this kernel has no overlay file system');
}

async function main(pattern: string | undefined, signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const files = globSync('tests/cri/*.cri.ts', { cwd: repositoryRoot })
    .filter((file) => pattern === undefined || file.includes(pattern))
    .sort();
  if (files.length === 0) {
    log(`no file tests/cri/*.cri.ts has "${pattern ?? ''}" in its path`);
    return 2;
  }
  try {
    await requireContainers();
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
  // Tests are processes of their own, and inherit it.
  process.env[LANE] = String(process.pid);
  let passed = false;
  try {
    // One at a time: containers that start are slow enough alone.
    ({ passed } = await runTests({ files, signal, concurrency: 1, fileLimitMs: FILE_LIMIT_MS }));
  } finally {
    const left = await detachLeftContainerds();
    if (left.length > 0) {
      log(`the tests left behind: ${left.join(', ')}`);
      passed = false;
    }
  }
  log(`${passed ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return passed ? 0 : 1;
}

await runProgram((signal) => main(process.argv[2], signal));
