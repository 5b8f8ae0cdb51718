// The package.json of the published package: subpaths with their types first, and what is not bundled.
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { PACKAGES } from '../layers.ts';
import { inRoot, PACKAGES_FOLDER, PUBLISHED } from './paths.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: string;
  readonly keywords?: readonly string[];
  readonly repository?: unknown;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The first with SQLite that needs no flag. */
const MIN_NODE = '>=22.13';

async function readManifest(folder: URL): Promise<Manifest | undefined> {
  const text = await readFile(new URL('package.json', folder), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Manifest); // npm has accepted it
}

async function publishedManifest(): Promise<Manifest> {
  const manifest = await readManifest(PUBLISHED);
  if (manifest === undefined) throw new Error('packages/windlass/package.json is missing');
  return manifest;
}

/** The modules of the package: `client` for `windlass/client`, `api/core/v1` for `windlass/api/core/v1`. */
export async function modules(): Promise<readonly string[]> {
  const files = await readdir(new URL('src/', PUBLISHED), { recursive: true });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -'.ts'.length).replaceAll(sep, '/'))
    .sort();
}

/** What our packages depend on beside each other. It is not bundled: a user's npm keeps it current. */
export function outerDependencies(): Promise<Readonly<Record<string, string>>> {
  return outerOf('dependencies');
}

/** What a subpath needs that only those who use it install. It is not bundled either. */
export function optionalPeers(): Promise<Readonly<Record<string, string>>> {
  return outerOf('peerDependencies');
}

async function outerOf(
  field: 'dependencies' | 'peerDependencies',
): Promise<Readonly<Record<string, string>>> {
  const outer: Record<string, string> = {};
  for (const name of PACKAGES) {
    const manifest = await readManifest(new URL(`${name}/`, PACKAGES_FOLDER));
    for (const [dependency, version] of Object.entries(manifest?.[field] ?? {}))
      if (!dependency.startsWith('@windlass/')) outer[dependency] = version;
  }
  return Object.fromEntries(Object.entries(outer).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export async function writeManifest(output: URL): Promise<void> {
  const {
    name,
    version,
    description,
    license,
    keywords,
    repository,
    exports = {},
  } = await publishedManifest();
  const peerDependencies = await optionalPeers();
  const manifest = {
    name,
    version,
    description,
    license,
    keywords,
    // Left out while nobody has said where it is.
    repository,
    type: 'module',
    sideEffects: false,
    engines: { node: MIN_NODE },
    bin: { windlass: './windlass.js', 'kubectl-directpv': './kubectl-directpv.js' },
    exports: Object.fromEntries(
      Object.keys(exports).map((subpath) => [
        subpath,
        {
          types: `./types/windlass/src/${moduleOf(subpath)}.d.ts`,
          default: `./${moduleOf(subpath)}.js`,
        },
      ]),
    ),
    dependencies: await outerDependencies(),
    peerDependencies,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(peerDependencies).map((peer) => [peer, { optional: true }]),
    ),
  };
  await writeFile(new URL('package.json', output), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const name of ['LICENSE', 'NOTICE']) await copyFile(inRoot(name), new URL(name, output));
  await copyFile(new URL('README.md', PUBLISHED), new URL('README.md', output));
}

/** The module behind a subpath: `./client` is `client`, and the package itself is `index`. */
function moduleOf(subpath: string): string {
  return subpath === '.' ? 'index' : subpath.slice('./'.length);
}
