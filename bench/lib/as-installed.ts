// Our packages as a user's node_modules would hold them: compiled, with declarations, without tests.
import { cp, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder, repositoryRoot } from '../../tests/real/harness/paths.ts';
import { outputOf } from './child.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Compiles `names` and copies what they depend on. Returns the folder that has the node_modules. */
export async function installOurs(names: readonly string[], log: (line: string) => void): Promise<string> {
  const folder = cacheFolder('bench', 'as-installed');
  const modules = join(folder, 'node_modules');
  log(`compiling ${names.join(', ')} as they would be published`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(modules, { recursive: true });
  const configuration = join(folder, 'tsconfig.json');
  await writeFile(configuration, JSON.stringify(compilerConfiguration(names, join(modules, '@windlass'))));
  const tsc = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
  await outputOf(process.execPath, [tsc, '--project', configuration]);
  await rm(configuration);
  for (const name of names) await copyManifest(name, modules);
  return folder;
}

function compilerConfiguration(names: readonly string[], outDir: string): object {
  const sources = names.map((name) => `${repositoryRoot}packages/${name}/src`);
  return {
    extends: `${repositoryRoot}tsconfig.json`,
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: `${repositoryRoot}packages`,
      outDir,
      typeRoots: [`${repositoryRoot}node_modules/@types`],
    },
    include: sources.map((source) => `${source}/**/*.ts`),
    exclude: sources.flatMap((source) => [`${source}/**/*.test.ts`, `${source}/**/testing/**`]),
  };
}

async function copyManifest(name: string, modules: string): Promise<void> {
  const source = join(repositoryRoot, 'packages', name);
  const text = await readFile(join(source, 'package.json'), 'utf8');
  await writeFile(join(modules, '@windlass', name, 'package.json'), text.replaceAll('.ts"', '.js"'));
  const { dependencies = {} } = JSON.parse(text) as Manifest; // npm has accepted it
  for (const dependency of Object.keys(dependencies)) {
    if (!dependency.startsWith('@windlass/')) await copyModule(dependency, source, modules);
  }
}

/** Copies an installed module and what it depends on. */
async function copyModule(name: string, from: string, modules: string): Promise<void> {
  const source = await find(name, from);
  await cp(source, join(modules, name), { recursive: true });
  const { dependencies = {} } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Manifest;
  for (const dependency of Object.keys(dependencies)) await copyModule(dependency, source, modules);
}

/** As Node does: in the node_modules of this folder and of each above it. */
async function find(name: string, from: string): Promise<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await realpath(join(folder, 'node_modules', name)).catch(() => undefined);
    if (found !== undefined) return found;
    if (folder === dirname(folder)) throw new Error(`${name} is not installed for ${from}`);
  }
}
