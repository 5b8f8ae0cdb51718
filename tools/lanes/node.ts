// `npm run test:node`: tests/node/*.node.ts, real kubelets with a real container runtime, on machines that are network
// namespaces of this one. `npm run test:node -- PATTERN` runs only the files whose path contains PATTERN, and
// `--kubelet v1.35.8` takes a kubelet of that release.
import { globSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { InvalidArgumentError } from '@windlass/base';
import { KUBELET_RELEASE } from '../../tests/node/harness/joined-node.ts';
import { BUSYBOX, CNI_PLUGINS } from '../../tests/node/harness/runtime-config.ts';
import { ensureKubernetesProgram } from '../../tests/real/harness/kubernetes-program.ts';
import {
  findProgram,
  MissingNeedError,
  needGo,
  run,
  SKIP_EXIT_CODE,
} from '../../tests/real/harness/needs.ts';
import { kubernetesVersion, repositoryRoot } from '../../tests/real/harness/paths.ts';
import { runProgram } from '../run/program.ts';
import { runTests } from '../run/run-tests.ts';
import { installPackages } from './packages.ts';

const log = (line: string): void => console.error(`test:node: ${line}`);
const FILE_LIMIT_MS = 15 * 60_000;
const RELEASE = /^v1\.\d+\.\d+$/;

/** What is needed, and the package of Debian's that has it. */
const FILES: Readonly<Record<string, string>> = {
  [BUSYBOX]: 'busybox-static',
  [`${CNI_PLUGINS}/bridge`]: 'containernetworking-plugins',
};
const PROGRAMS: Readonly<Record<string, string>> = {
  containerd: 'containerd',
  ctr: 'containerd',
  runc: 'runc',
  nft: 'nftables',
  iptables: 'iptables',
  ip: 'iproute2',
  nsenter: 'util-linux',
};

async function requireMachine(): Promise<void> {
  if (process.platform !== 'linux') throw new MissingNeedError('it needs Linux');
  if (process.getuid?.() !== 0)
    throw new MissingNeedError('it needs root, for containers and network namespaces');
  if ((await findProgram('kubectl')) === undefined) throw new MissingNeedError('it needs kubectl on PATH');
  await needGo('kubelet');
  const missing = await missingPackages();
  if (missing.length > 0) await installPackages(missing, log);
  if (!(await readFile('/proc/filesystems', 'utf8')).includes('\toverlay'))
    await run('modprobe', ['overlay']).catch(() => {
      throw new MissingNeedError('this kernel has no overlayfs');
    });
  await requireNetwork();
}

async function missingPackages(): Promise<string[]> {
  const missing = new Set<string>();
  for (const [program, name] of Object.entries(PROGRAMS))
    if ((await findProgram(program, ['/usr/sbin', '/sbin'])) === undefined) missing.add(name);
  for (const [file, name] of Object.entries(FILES)) await access(file).catch(() => missing.add(name));
  return [...missing];
}

/** Containers within containers often may not do this. */
async function requireNetwork(): Promise<void> {
  const name = `windlass-probe-${process.pid}`;
  try {
    await run('ip', ['netns', 'add', name]);
    await run('ip', ['-n', name, 'link', 'add', 'probe0', 'type', 'veth', 'peer', 'name', 'probe1']);
    await run('ip', ['-n', name, 'link', 'add', 'probe2', 'type', 'bridge']);
  } catch (error) {
    throw new MissingNeedError(`this kernel, or this container, has no network namespaces: ${String(error)}`);
  } finally {
    await run('ip', ['netns', 'delete', name]).catch(() => {});
  }
}

async function main(signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { kubelet: { type: 'string' } },
  });
  const [pattern] = positionals;
  const release = values.kubelet ?? kubernetesVersion();
  if (!RELEASE.test(release))
    throw new InvalidArgumentError('--kubelet', release, 'a release such as v1.35.8');
  const files = globSync('tests/node/*.node.ts', { cwd: repositoryRoot })
    .filter((file) => pattern === undefined || file.includes(pattern))
    .sort();
  if (files.length === 0) {
    log(`no file tests/node/*.node.ts has "${pattern ?? ''}" in its path`);
    return 2;
  }
  try {
    await requireMachine();
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
  // Minutes each, once, which are no part of what a file may take.
  await ensureKubernetesProgram('kubelet', log, release);
  for (const program of ['kubeadm', 'kube-proxy'] as const) await ensureKubernetesProgram(program, log);
  const started = performance.now();
  // One at a time: the machines would share this one's two processors.
  const env = { ...process.env, [KUBELET_RELEASE]: release };
  const { passed } = await runTests({ files, signal, env, concurrency: 1, fileLimitMs: FILE_LIMIT_MS });
  log(`${passed ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return passed ? 0 : 1;
}

await runProgram(main);
