import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { bundlePage } from '../../packages/console/src/assets/bundle-page.ts';
import { PAGE_FOLDER } from '../../packages/console/src/assets/page-files.ts';
import { modules, optionalPeers, outerDependencies } from './manifest.ts';
import { inRoot, PACKAGES_FOLDER, PUBLISHED } from './paths.ts';

/** What users run. */
const COMMANDS: Readonly<Record<string, string>> = {
  windlass: 'cli/src/windlass.ts',
  'kubectl-directpv': 'cli/src/kubectl-directpv.ts',
};

/**
 * Programs beside the subpaths: the commands, the thread that writes to SQLite, the one for large writes, what
 * `windlass dev` loads into an operator, and the processes of `windlass sim`.
 */
const PROGRAMS: Readonly<Record<string, string>> = {
  ...COMMANDS,
  worker: 'apiserver/src/storage/sqlite/worker.ts',
  'write-worker': 'apiserver/src/large-writes/write-worker.ts',
  'report-runs': 'cli/src/dev/report-runs.ts',
  'sim-worker': 'cli/src/sim/sim-worker.ts',
};

/** Read at run time, beside the module that reads them. */
const TABLES = 'apimachinery/src/generated/';

/** Of the tables: read only for OpenAPI. */
const COMPRESSED: ReadonlySet<string> = new Set(['descriptions.json']);

/** Answers the modules that the bundle is made of, relative to the repository. */
export async function bundle(output: URL): Promise<readonly string[]> {
  const input: Record<string, string> = {};
  for (const name of await modules()) input[name] = fileURLToPath(new URL(`src/${name}.ts`, PUBLISHED));
  for (const [name, path] of Object.entries(PROGRAMS))
    input[name] = fileURLToPath(new URL(path, PACKAGES_FOLDER));
  const outer = Object.keys({ ...(await outerDependencies()), ...(await optionalPeers()) });
  const external = (id: string): boolean =>
    id.startsWith('node:') || outer.some((name) => id === name || id.startsWith(`${name}/`));
  const build = await rolldown({
    input,
    platform: 'node',
    external,
    logLevel: 'warn',
    // Newer syntax, such as `using`, is written in an older form.
    transform: { target: 'node22' },
  });
  const written = await build.write({
    dir: fileURLToPath(output),
    format: 'esm',
    chunkFileNames: 'shared-[hash].js',
    sourcemap: true,
  });
  await build.close();
  await writeTables(new URL('generated/', output));
  const page = await writePage(new URL(PAGE_FOLDER, output));
  for (const name of Object.keys(COMMANDS)) await chmod(new URL(`${name}.js`, output), 0o755);
  const root = fileURLToPath(inRoot('.'));
  const files = written.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  // What the bundler adds of its own has a name that no file can have.
  return [...files.filter((file) => !file.startsWith('\0')), ...page].map((file) =>
    relative(root, file).replaceAll(sep, '/'),
  );
}

/** Those that few ask for are compressed: prose takes a quarter of its room then. */
async function writeTables(folder: URL): Promise<void> {
  const tables = new URL(TABLES, PACKAGES_FOLDER);
  await mkdir(folder, { recursive: true });
  for (const file of await readdir(tables)) {
    if (!file.endsWith('.json')) continue;
    if (!COMPRESSED.has(file)) await cp(new URL(file, tables), new URL(file, folder));
    else
      await writeFile(
        new URL(`${file}.gz`, folder),
        gzipSync(await readFile(new URL(file, tables)), { level: 9 }),
      );
  }
}

/** The console's page, made beforehand: users have no bundler. Answers what it is made of. */
async function writePage(folder: URL): Promise<readonly string[]> {
  const { files, modules } = await bundlePage({ minify: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) await writeFile(new URL(name, folder), text);
  for (const name of packagesOf(modules)) {
    const licence = new URL(`LICENSE.${name.replace('/', '-')}`, folder);
    await cp(inRoot(`node_modules/${name}/LICENSE`), licence);
  }
  return modules;
}

/** The packages of others that modules are from. Their licences go with their code. */
function packagesOf(modules: readonly string[]): ReadonlySet<string> {
  const names = modules.map((path) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}
