// Where the facts come from: the published Kubernetes modules, fetched and verified by Go's own client.
// The release is pinned once, in tools/kubernetes/go.mod, which also pins the server of the real lane.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Modules {
  readonly kubernetes: string;
  readonly api: string;
  readonly apimachinery: string;
  readonly apiextensions: string;
  readonly aggregator: string;
  /** `v1.36.3` */
  readonly release: string;
}

/** A module in Go's cache. */
export interface DownloadedModule {
  readonly Path: string;
  readonly Version: string;
  readonly Dir: string;
  readonly Error?: string;
}

const PATHS = {
  kubernetes: 'k8s.io/kubernetes',
  api: 'k8s.io/api',
  apimachinery: 'k8s.io/apimachinery',
  apiextensions: 'k8s.io/apiextensions-apiserver',
  aggregator: 'k8s.io/kube-aggregator',
} as const;

/** Directories of the pinned modules, downloaded when Go's module cache does not hold them. */
export async function downloadModules(pinDirectory: string): Promise<Modules> {
  const get = await downloadModuleDirectories(pinDirectory, Object.values(PATHS));
  return {
    kubernetes: get(PATHS.kubernetes).Dir,
    api: get(PATHS.api).Dir,
    apimachinery: get(PATHS.apimachinery).Dir,
    apiextensions: get(PATHS.apiextensions).Dir,
    aggregator: get(PATHS.aggregator).Dir,
    release: get(PATHS.kubernetes).Version,
  };
}

/** As `downloadModules`, for modules that another pin names. */
export async function downloadModuleDirectories(
  pinDirectory: string,
  paths: readonly string[],
): Promise<(path: string) => DownloadedModule> {
  const args = ['mod', 'download', '-json', ...paths];
  const { stdout } = await promisify(execFile)('go', args, { cwd: pinDirectory, maxBuffer: 1 << 24 });
  const found = new Map(parseDownloads(stdout).map((module) => [module.Path, module]));
  return (path) => {
    const module = found.get(path);
    if (module === undefined || module.Error !== undefined)
      throw new Error(`go mod download gave no ${path}: ${module?.Error ?? 'it is not in the answer'}`);
    return module;
  };
}

/** The client prints one indented JSON object after another, with no separator between them. */
export function parseDownloads(output: string): DownloadedModule[] {
  return output
    .split(/^(?=\{)/m)
    .filter((text) => text.trim() !== '')
    .map((text) => JSON.parse(text) as DownloadedModule);
}
