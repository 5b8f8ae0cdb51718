// The TypeScript that the maps of the package lead to, so that an editor opens it at "go to definition" and a stack trace
// names it with `--enable-source-maps`.
import { globSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGES_FOLDER } from './paths.ts';

interface SourceMap {
  readonly sourceRoot?: string;
  sources: string[];
  sourcesContent?: unknown;
}

/**
 * What operators are written with. The sources of the control plane would be three times as much again, for those who
 * have a clone anyway.
 */
const SHIPPED = new Set([
  'base',
  'workqueue',
  'apimachinery',
  'streams',
  'client',
  'informer',
  'runtime',
  'codegen',
  'cluster',
  'windlass',
]);

/** Their declarations say as much as they do, and they are half of all sources. */
const GENERATED = `${sep}generated${sep}`;

/** Copies the sources below `output`, and lets each map lead there. Maps that lead to none of them are removed. */
export async function writeSources(output: URL): Promise<void> {
  const folder = fileURLToPath(output);
  const shipped = new Map<string, string>();
  for (const path of globSync('**/*.map', { cwd: folder })) {
    const file = join(folder, path);
    const map = JSON.parse(await readFile(file, 'utf8')) as SourceMap; // the bundler's, or the compiler's
    const absolute = map.sources.map((source) => resolve(dirname(file), map.sourceRoot ?? '', source));
    if (!absolute.some(isShipped)) {
      await removeMap(file);
      continue;
    }
    map.sources = absolute.map((source) => {
      const place = join(folder, 'src', placeOf(source));
      if (isShipped(source)) shipped.set(source, place);
      return relative(dirname(file), place).replaceAll(sep, '/');
    });
    // They are in the package, once.
    delete map.sourcesContent;
    await writeFile(file, JSON.stringify(map));
  }
  for (const [source, target] of shipped) {
    await mkdir(dirname(target), { recursive: true });
    await copyFile(source, target);
  }
}

function isShipped(source: string): boolean {
  const [name = ''] = relative(fileURLToPath(PACKAGES_FOLDER), source).split(sep);
  return SHIPPED.has(name) && !source.includes(GENERATED);
}

/** `client/pods/lines.ts` for `packages/client/src/pods/lines.ts`. What the bundler adds has only its name. */
function placeOf(source: string): string {
  const path = relative(fileURLToPath(PACKAGES_FOLDER), source);
  return path.startsWith('..') ? basename(source) : path.replace(`${sep}src${sep}`, sep);
}

async function removeMap(file: string): Promise<void> {
  await rm(file);
  const code = file.slice(0, -'.map'.length);
  const text = await readFile(code, 'utf8');
  await writeFile(code, text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
}
