import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { parseDefinitions } from '@windlass/codegen';
import { UsageError } from '../command-line/exit.ts';

const MANIFEST = /\.(?:ya?ml|json)$/;

/** The definitions in files, and in the manifests of folders and those below them. */
export async function definitionsInFiles(paths: readonly string[]): Promise<CustomResourceDefinition[]> {
  const found: CustomResourceDefinition[] = [];
  for (const path of paths) {
    const before = found.length;
    for (const file of await manifestsAt(path))
      found.push(...parseDefinitions(await readFile(file, 'utf8'), file));
    if (found.length === before)
      throw new UsageError(`${path} has no CustomResourceDefinition in it; name a file or folder that has`);
  }
  return found;
}

async function manifestsAt(path: string): Promise<string[]> {
  const facts = await stat(path).catch((error: unknown) => {
    throw new UsageError(
      `--from ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  if (!facts.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => MANIFEST.test(name))
    .sort()
    .map((name) => join(path, name));
}
