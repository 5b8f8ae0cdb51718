import { spawn } from 'node:child_process';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { kubernetesModuleOf } from './kubernetes-module.ts';
import { type Log, needGo } from './needs.ts';
import { cacheFolder, kubernetesModule, kubernetesVersion } from './paths.ts';

export type KubernetesProgram =
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubelet'
  | 'kubeadm'
  | 'kube-proxy';

const PROGRESS_MS = 30_000;

/**
 * The path of a Kubernetes program, built from the published module where the cache has none. A first build compiles
 * some 1,500 packages: minutes on two cores, seconds afterwards.
 * @param version such as `v1.35.8`; the pinned release unless told otherwise
 */
export async function ensureKubernetesProgram(
  name: KubernetesProgram,
  log: Log,
  version: string = kubernetesVersion(),
): Promise<string> {
  const target = cacheFolder('bin', `${name}-${version}`);
  const present = await access(target).then(
    () => true,
    () => false,
  );
  if (present) return target;
  const go = await needGo(`${name} ${version}`);
  await mkdir(cacheFolder('bin'), { recursive: true });
  // Two runs may build at the same time; the rename makes each result appear whole.
  const partial = `${target}.${process.pid}`;
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  log(`${name} ${version}: building from its Go module, once (some minutes)`);
  const progress = setInterval(() => log(`${name} ${version}: still building, ${seconds()}`), PROGRESS_MS);
  try {
    const isPinned = version === kubernetesVersion();
    const cwd = isPinned ? kubernetesModule : await kubernetesModuleOf(go, version);
    // The go.mod of the pinned release is complete; that of another one gets its lines while it is built.
    const flags = isPinned ? [] : ['-mod=mod'];
    const source = `k8s.io/kubernetes/cmd/${name}`;
    await goBuild(go, cwd, [...flags, '-ldflags', linkerFlags(version), '-o', partial, source]);
    await rename(partial, target);
  } finally {
    clearInterval(progress);
    await rm(partial, { force: true });
  }
  log(`${name} ${version}: built in ${seconds()}`);
  return target;
}

/** A module carries no build stamp; without these the server would call itself v0.0.0-master. */
function linkerFlags(version: string): string {
  const [major, minor] = version.slice(1).split('.');
  const variables = { gitVersion: version, gitMajor: major, gitMinor: minor };
  const settings = Object.entries(variables).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  return ['-s', '-w', ...settings].join(' ');
}

function goBuild(go: string, cwd: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(go, ['build', '-trimpath', ...args], {
      cwd,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CGO_ENABLED: '0' },
    });
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      if (code === 0) resolve();
      else reject(new Error(`go build in ${cwd} ended with ${code ?? killedBy}; its messages stand above`));
    });
  });
}
