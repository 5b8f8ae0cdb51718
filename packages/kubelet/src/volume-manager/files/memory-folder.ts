// Folders whose files are in memory.
import { execFile } from 'node:child_process';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import { mountsBelow } from './mount-table.ts';
import type { MemorySize } from './node-files.ts';

const run = promisify(execFile);

export async function mountMemory(path: string, { bytes }: MemorySize): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o777 });
  if (await isMounted(path)) return;
  const options = bytes === undefined ? 'mode=0777' : `mode=0777,size=${bytes}`;
  await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]);
}

export async function unmountMemory(path: string): Promise<void> {
  if (await isMounted(path)) await run('umount', [path]);
}

async function isMounted(path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return false;
  const table = await readFile('/proc/self/mountinfo', 'utf8');
  return mountsBelow(table, real).includes(real);
}
