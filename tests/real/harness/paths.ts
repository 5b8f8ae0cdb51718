// Where the lane keeps what must outlive a run, and which release it runs against.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const repositoryRoot: string = new URL('../../..', import.meta.url).pathname;

/** The Go module whose go.mod pins the Kubernetes release. */
export const kubernetesModule: string = join(repositoryRoot, 'tools/kubernetes');

/** Built programs live outside the repository, so that a fresh clone finds them again. */
export function cacheFolder(...parts: string[]): string {
  const base = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(base, 'windlass', ...parts);
}

/** The pinned release, such as `v1.36.3`. Read from go.mod, so that the pin stands in one place. */
export function kubernetesVersion(): string {
  const file = join(kubernetesModule, 'go.mod');
  const version = /^require k8s\.io\/kubernetes (v\d+\.\d+\.\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${file} has no line "require k8s.io/kubernetes vX.Y.Z"`);
  return version;
}
