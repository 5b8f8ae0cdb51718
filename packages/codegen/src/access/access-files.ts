// What test files asked of the API, each in a file of its own: every test file is a process, and the role of a
// program is that of all of them.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidDeclarationError } from '../errors.ts';
import { isObject } from '../generate/json.ts';
import type { Access } from './access.ts';

/** Where a project keeps them, unless it says otherwise. */
export const ACCESS_FOLDER = '.windlass/access';

/** Written by one test file, at its end. */
export interface AccessFile {
  /** The test file. Once it is gone, what it asked for no longer counts. */
  readonly test: string;
  readonly accesses: readonly Access[];
}

/** Replaces what the same test file has written before. Whoever reads meanwhile sees the one or the other. */
export function writeAccessFile(folder: string, { test, accesses }: AccessFile): void {
  mkdirSync(folder, { recursive: true });
  const name = `${resolve(test)
    .replaceAll(/[^A-Za-z0-9.]+/g, '_')
    .slice(-100)}.json`;
  const draft = join(folder, `.${name}.${process.pid}`);
  writeFileSync(draft, `${JSON.stringify({ test: resolve(test), accesses }, undefined, 2)}\n`);
  renameSync(draft, join(folder, name));
}

/**
 * Those of all test files that still exist, in the order of their names.
 * @throws InvalidDeclarationError that names a file that nobody here has written
 */
export function readAccessFiles(folder: string): AccessFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .sort()
    .map((name) => parsed(join(folder, name)))
    .filter(({ test }) => existsSync(test));
}

function parsed(file: string): AccessFile {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    value = undefined;
  }
  if (!isObject(value) || typeof value['test'] !== 'string' || !Array.isArray(value['accesses']))
    throw new InvalidDeclarationError(`${file} is no record of a test; delete it, and run the tests again`);
  // Written by `writeAccessFile`.
  return { test: value['test'], accesses: value['accesses'] as Access[] };
}
