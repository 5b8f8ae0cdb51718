// What a test that was cut off has left: processes, mounts and folders of its containerd.
import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const FOLDER_PREFIX = 'wcri-';

/** The folders of one lane begin so: another lane on the same machine has another name, and is left alone. */
export function folderPrefix(): string {
  return `${FOLDER_PREFIX}${process.env[LANE] ?? process.pid}-`;
}

/** The lane that runs the tests; each test alone is a lane of its own. */
export const LANE = 'WINDLASS_CRI_LANE';

/** Ends and removes what tests of this lane have left, and of no other. @returns the folders that were left */
export async function detachLeftContainerds(): Promise<string[]> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(folderPrefix()));
  const folders = names.map((name) => join(tmpdir(), name));
  for (const folder of folders) {
    for (const pid of await processesOf(folder)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
    await unmountBelow(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  return folders;
}

/** Takes down all mounts of a folder, also those that are in use. */
export async function unmountBelow(folder: string): Promise<void> {
  const table = await readFile('/proc/self/mountinfo', 'utf8');
  const mounts = table
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((path) => path.startsWith(`${folder}/`))
    .toReversed();
  for (const mount of mounts) await run('umount', ['--lazy', mount]).catch(() => {});
}

/** Those whose command names the folder: containerd and what it starts. */
async function processesOf(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return command.includes(`${folder}/`) && Number(pid) !== process.pid ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
