import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './needs.ts';
import { cacheFolder } from './paths.ts';

/** What `go mod edit -json` says of a go.mod, as far as it is needed here. */
export interface GoModule {
  readonly Go: string;
  readonly Replace?: readonly {
    readonly Old: { readonly Path: string };
    readonly New: { readonly Path: string };
  }[];
}

const KUBERNETES = 'k8s.io/kubernetes';
const STAGED = './staging/';

/**
 * A folder with a go.mod that requires this release of Kubernetes. It is written from the release's own go.mod, so that
 * any release can be built; Go's checksum database vouches for what it downloads. The pinned release has a go.mod of its
 * own in tools/kubernetes.
 * @param version such as `v1.35.8`
 */
export async function kubernetesModuleOf(go: string, version: string): Promise<string> {
  const folder = cacheFolder('modules', `kubernetes-${version}`);
  await mkdir(folder, { recursive: true });
  const { stdout: found } = await run(go, ['mod', 'download', '-json', `${KUBERNETES}@${version}`], {
    cwd: folder,
  });
  // Go's own description of a module; only the path is taken from it.
  const { GoMod: published } = JSON.parse(found) as { readonly GoMod: string };
  const { stdout: described } = await run(go, ['mod', 'edit', '-json', published], { cwd: folder });
  // Its fields are those of `go help mod edit`.
  await writeFile(join(folder, 'go.mod'), kubernetesGoMod(version, JSON.parse(described) as GoModule));
  return folder;
}

/**
 * The text of that go.mod. In Kubernetes' own the modules that are staged in its repository are folders, which a published
 * module does not have: each is replaced by what was published of it with the release.
 */
export function kubernetesGoMod(version: string, { Go, Replace = [] }: GoModule): string {
  const staged = Replace.filter((one) => one.New.Path.startsWith(STAGED)).map(
    ({ Old: { Path: path } }) => `replace ${path} => ${path} ${version.replace(/^v1\./, 'v0.')}`,
  );
  const name = `windlass.dev/kubernetes-${version}`;
  return [`module ${name}`, `go ${Go}`, `require ${KUBERNETES} ${version}`, ...staged, ''].join('\n');
}
