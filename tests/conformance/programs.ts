import { spawn } from 'node:child_process';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Log, needGo } from '../real/harness/needs.ts';
import { cacheFolder, kubernetesVersion, repositoryRoot } from '../real/harness/paths.ts';

/** The Go module that pins the suite and its runner. */
const MODULE = join(repositoryRoot, 'tools/conformance');
const PROGRESS_MS = 60_000;

export interface ConformancePrograms {
  /** Kubernetes' end-to-end suite, a compiled test. */
  readonly suite: string;
  /** Ginkgo's command, which runs the suite in several processes. */
  readonly runner: string;
}

export interface BuildOptions {
  /** Only the part of the suite that the quick form runs: it compiles sooner. */
  readonly isQuick: boolean;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Both programs, built from their published modules where the cache has none. A first build takes some minutes. */
export async function ensurePrograms({ isQuick, log, signal }: BuildOptions): Promise<ConformancePrograms> {
  const version = kubernetesVersion();
  const [name, source] = isQuick ? ['e2e-quick', './quick'] : ['e2e', 'k8s.io/kubernetes/test/e2e'];
  return {
    // Ginkgo takes a file whose name ends in `.test`.
    suite: await ensure(`${name}-${version}.test`, ['test', '-c', '-vet=off', source], log, signal),
    runner: await ensure(`ginkgo-${version}`, ['build', 'github.com/onsi/ginkgo/v2/ginkgo'], log, signal),
  };
}

async function ensure(
  name: string,
  [verb, ...rest]: readonly [string, ...string[]],
  log: Log,
  signal: AbortSignal,
): Promise<string> {
  const target = cacheFolder('bin', name);
  const present = await access(target).then(
    () => true,
    () => false,
  );
  if (present) return target;
  const go = await needGo(name);
  await mkdir(cacheFolder('bin'), { recursive: true });
  // Two runs may build at the same time; the rename makes each result appear whole.
  const partial = `${target}.${process.pid}`;
  const started = performance.now();
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  log(`${name}: building from its Go module, once (some minutes)`);
  const progress = setInterval(() => log(`${name}: still building, ${seconds()}`), PROGRESS_MS);
  try {
    await runGo(go, [verb, '-trimpath', '-ldflags=-s -w', '-o', partial, ...rest], signal);
    await rename(partial, target);
  } finally {
    clearInterval(progress);
    await rm(partial, { force: true });
  }
  log(`${name}: built in ${seconds()}`);
  return target;
}

function runGo(go: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(go, args, {
      cwd: MODULE,
      signal,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CGO_ENABLED: '0' },
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`go ${args[0]} in ${MODULE} ended with ${code}; its messages stand above`));
    });
  });
}
