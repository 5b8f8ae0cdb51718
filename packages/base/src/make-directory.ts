import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Options of a folder that is made. */
export interface MakeDirectoryOptions {
  /** Of the folders that are made. @default 0o777, less the umask */
  readonly mode?: number;
}

/**
 * Makes a folder with all above it that are missing, where it is not there yet. Node's own `recursive` never ends where
 * a parent is there and the folder cannot be made, as below /proc.
 * @throws what the system says: EACCES, ENOENT, ENOTDIR, EROFS
 */
export async function makeDirectory(path: string, options: MakeDirectoryOptions = {}): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); !(await isThere(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.toReversed())
    await mkdir(folder, options).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
}

/** As `makeDirectory`, for those who cannot wait. */
export function makeDirectorySync(path: string, options: MakeDirectoryOptions = {}): void {
  const missing: string[] = [];
  for (let at = resolve(path); statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at))
    missing.push(at);
  for (const folder of missing.toReversed())
    try {
      mkdirSync(folder, options);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
