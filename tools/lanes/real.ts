// `npm run test:real`: tests/real/*.real.ts against a real etcd and kube-apiserver, started once for all.
// `npm run test:real -- PATTERN` runs only the files whose path contains PATTERN.
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { MissingNeedError, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { type RealCluster, startRealCluster } from '../../tests/real/harness/real-cluster.ts';
import { sharedEnvironment } from '../../tests/real/harness/shared-cluster.ts';

const started = performance.now();
const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
const log = (line: string): void => console.error(`test:real: ${line}`);

function runTests(files: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<boolean> {
  const reporter = process.stdout.isTTY || process.env['CI'] !== undefined ? 'spec' : 'dot';
  const flags = ['--test', `--test-reporter=${reporter}`, '--test-concurrency=2', '--expose-gc'];
  if (process.env['WINDLASS_SEED'] !== undefined)
    flags.push('--import', new URL('../seed.ts', import.meta.url).href);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, ...files], {
      cwd: repositoryRoot,
      stdio: 'inherit',
      env,
    });
    const stop = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    child.on('error', reject);
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve(code === 0);
    });
  });
}

async function main(pattern: string | undefined, signal: AbortSignal): Promise<number> {
  const files = globSync('tests/real/*.real.ts', { cwd: repositoryRoot })
    .filter((file) => pattern === undefined || file.includes(pattern))
    .sort();
  if (files.length === 0) {
    log(`no file tests/real/*.real.ts has "${pattern ?? ''}" in its path`);
    return 2;
  }
  let cluster: RealCluster;
  try {
    cluster = await startRealCluster({ signal, log });
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
  let passed = false;
  try {
    log(`${cluster.server} serves after ${elapsed()}`);
    passed = await runTests(files, { ...process.env, ...(await sharedEnvironment(cluster)) }, signal);
  } finally {
    await cluster.stop({ keepLogs: !passed });
  }
  const names = files.length === 1 ? '1 file' : `${files.length} files`;
  log(`${passed ? 'passed' : `FAILED (logs: ${cluster.logFolder})`}: ${names} in ${elapsed()}`);
  return passed ? 0 : 1;
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
process.exitCode = await main(process.argv[2], stopping.signal);
