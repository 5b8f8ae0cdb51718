// Our package as a user's node_modules would hold it: built, with what it depends on.
import { cp, mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder, repositoryRoot } from '../../tests/real/harness/paths.ts';
import { build } from '../../tools/build/main.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Returns the folder that has the node_modules. */
export async function installOurs(log: (line: string) => void): Promise<string> {
  const folder = cacheFolder('bench', 'as-installed');
  const modules = join(folder, 'node_modules');
  log('building windlass as it would be published');
  await rm(folder, { recursive: true, force: true });
  await mkdir(modules, { recursive: true });
  await build(pathToFileURL(join(modules, 'windlass/')));
  for (const name of await dependenciesOf(join(modules, 'windlass')))
    await copyModule(name, repositoryRoot, modules);
  return folder;
}

async function dependenciesOf(folder: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest; // npm's format
  return Object.keys(manifest.dependencies ?? {});
}

/** Copies an installed module and what it depends on. */
async function copyModule(name: string, from: string, modules: string): Promise<void> {
  const source = await find(name, from);
  await cp(source, join(modules, name), { recursive: true });
  for (const dependency of await dependenciesOf(source)) await copyModule(dependency, source, modules);
}

/** As Node does: in the node_modules of this folder and of each above it. */
async function find(name: string, from: string): Promise<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await realpath(join(folder, 'node_modules', name)).catch(() => undefined);
    if (found !== undefined) return found;
    if (folder === dirname(folder)) throw new Error(`${name} is not installed for ${from}`);
  }
}
