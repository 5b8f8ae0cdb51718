import { chmod, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { editNamedLists, type NamedListChange } from '@windlass/apimachinery';
import { type Clock, makeDirectory, realClock, sleep } from '@windlass/base';
import { MergeKubeconfigError } from './errors.ts';

/** So long another program may write the file. */
const LOCK_WAIT_MS = 5000;
const LOCK_LOOK_MS = 50;

export interface MergeOptions {
  /** @default the machine's clock */
  readonly clock?: Clock;
}

/**
 * Changes a kubeconfig as `plan` says of its text, which is empty when there is none. The file is written whole, for its
 * owner only, under the lock that kubectl takes. Nothing is written when nothing changes.
 */
export async function changeKubeconfig(
  path: string,
  { clock = realClock }: MergeOptions,
  plan: (text: string) => Promise<readonly NamedListChange[]>,
): Promise<void> {
  await makeDirectory(dirname(path), { mode: 0o700 });
  // Some keep theirs elsewhere, behind a link, which stays one.
  const file = await realpath(path).catch(() => path);
  const lock = `${file}.lock`;
  await takeLock(file, lock, clock);
  try {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return '';
      throw error;
    });
    const changes = await plan(text);
    if (changes.length === 0) return;
    const draft = `${file}.${process.pid}.new`;
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(editNamedLists(text, changes));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(draft, 0o600);
    await rename(draft, file);
  } finally {
    await rm(lock, { force: true });
  }
}

/** As kubectl does it: whoever makes the file may write. */
async function takeLock(file: string, lock: string, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + LOCK_WAIT_MS;
  for (;;) {
    try {
      const handle = await open(lock, 'wx', 0o600);
      return await handle.close();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    if (clock.monotonic() > deadline)
      throw new MergeKubeconfigError(
        file,
        `another program holds ${lock}; delete that file if none does, and try again`,
      );
    await sleep(clock, LOCK_LOOK_MS);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
