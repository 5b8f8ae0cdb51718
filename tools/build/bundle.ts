import { chmod, cp, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { modules, outerDependencies } from './manifest.ts';
import { PACKAGES_FOLDER, PUBLISHED } from './paths.ts';

/** What users run. */
const COMMANDS: Readonly<Record<string, string>> = {
  windlass: 'cli/src/windlass.ts',
  'kubectl-directpv': 'cli/src/kubectl-directpv.ts',
};

/** Programs beside the subpaths: the commands, and the thread that writes to SQLite. */
const PROGRAMS: Readonly<Record<string, string>> = {
  ...COMMANDS,
  worker: 'apiserver/src/storage/sqlite/worker.ts',
};

/** Read at run time, beside the module that reads them. */
const TABLES = 'apimachinery/src/generated/';

export async function bundle(output: URL): Promise<void> {
  const input: Record<string, string> = {};
  for (const name of await modules()) input[name] = fileURLToPath(new URL(`src/${name}.ts`, PUBLISHED));
  for (const [name, path] of Object.entries(PROGRAMS))
    input[name] = fileURLToPath(new URL(path, PACKAGES_FOLDER));
  const external = [/^node:/, ...Object.keys(await outerDependencies())];
  const build = await rolldown({ input, platform: 'node', external, logLevel: 'warn' });
  await build.write({ dir: fileURLToPath(output), format: 'esm', chunkFileNames: 'shared-[hash].js' });
  await build.close();
  const tables = new URL(TABLES, PACKAGES_FOLDER);
  for (const file of await readdir(tables))
    if (file.endsWith('.json')) await cp(new URL(file, tables), new URL(`generated/${file}`, output));
  for (const name of Object.keys(COMMANDS)) await chmod(new URL(`${name}.js`, output), 0o755);
}
