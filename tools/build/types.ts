// The declarations of our packages, as one tree in which they find each other.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inRoot } from './paths.ts';

const run = promisify(execFile);
const OURS = /(from |import\()'@windlass\/([\w-]+)(?:\/([\w/-]+))?'/g;
const RELATIVE = /(from |import\()'(\.[^']*)\.ts'/g;

/** Declarations go to `types/PACKAGE/src` below `output`. */
export async function writeTypes(output: URL): Promise<void> {
  const types = fileURLToPath(new URL('types/', output));
  const root = fileURLToPath(inRoot('.'));
  const folder = await mkdtemp(fileURLToPath(inRoot('node_modules/.windlass-types-')));
  try {
    const configuration = `${folder}${sep}tsconfig.json`;
    await writeFile(configuration, JSON.stringify(compilerConfiguration(root, types)));
    await run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '--project', configuration]);
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const path of await readdir(types, { recursive: true }))
    if (path.endsWith('.d.ts')) await rewriteImports(types, `${types}${path}`);
  await prune(types);
}

/** What no subpath leads to is nobody's business, and a third of all declarations. */
async function prune(types: string): Promise<void> {
  const reached = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    if (reached.has(path)) return;
    reached.add(path);
    const text = await readFile(path, 'utf8');
    for (const [, from = ''] of text.matchAll(/(?:from |import\()'(\.[^']*)\.js'/g))
      await visit(`${resolve(dirname(path), from)}.d.ts`);
  };
  for (const path of globSync('windlass/src/**/*.d.ts', { cwd: types })) await visit(join(types, path));
  for (const path of globSync('**/*.d.ts', { cwd: types }))
    if (!reached.has(join(types, path)))
      for (const file of [path, `${path}.map`]) await rm(join(types, file), { force: true });
}

function compilerConfiguration(root: string, outDir: string): object {
  return {
    extends: `${root}tsconfig.json`,
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      declaration: true,
      declarationMap: true,
      emitDeclarationOnly: true,
      rootDir: `${root}packages`,
      outDir,
      typeRoots: [`${root}node_modules/@types`],
    },
    // Users test with these; what is excluded below is for our own tests.
    files: globSync(['packages/windlass/src/testing.ts', 'packages/cluster/src/testing/*.ts'], { cwd: root })
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => `${root}${path}`),
    include: [`${root}packages/*/src/**/*.ts`],
    exclude: ['*.test.ts', '*-testing.ts', 'testing.ts', 'testing/**'].map(
      (path) => `${root}packages/**/${path}`,
    ),
  };
}

async function rewriteImports(types: string, path: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const up = relative(`${path}${sep}..`, types).replaceAll(sep, '/');
  const rewritten = text
    .replaceAll(OURS, (_, before: string, name: string, subpath?: string) => {
      return `${before}'${up}/${name}/src/${fileOf(subpath)}.js'`;
    })
    .replaceAll(RELATIVE, "$1'$2.js'");
  if (rewritten !== text) await writeFile(path, rewritten);
}

/** As the `exports` of our packages have it. */
function fileOf(subpath: string | undefined): string {
  if (subpath === undefined) return 'index';
  return subpath.startsWith('api/') ? `generated/${subpath}` : `${subpath}/index`;
}
