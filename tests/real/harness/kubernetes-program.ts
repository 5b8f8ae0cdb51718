import { spawn } from 'node:child_process';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { type Log, needGo } from './needs.ts';
import { cacheFolder, kubernetesModule, kubernetesVersion } from './paths.ts';

export type KubernetesProgram = 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

const PROGRESS_MS = 30_000;

/**
 * The path of a Kubernetes program of the pinned release, built from the published module where the
 * cache has none. A first build compiles some 1,500 packages: minutes on two cores, seconds afterwards.
 */
export async function ensureKubernetesProgram(name: KubernetesProgram, log: Log): Promise<string> {
  const version = kubernetesVersion();
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
    await goBuild(go, ['-ldflags', linkerFlags(version), '-o', partial, `k8s.io/kubernetes/cmd/${name}`]);
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

function goBuild(go: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(go, ['build', '-trimpath', ...args], {
      cwd: kubernetesModule,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CGO_ENABLED: '0' },
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`go build in ${kubernetesModule} ended with ${code}; its messages stand above`));
    });
  });
}
