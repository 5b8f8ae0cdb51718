import { lstat, readdir } from 'node:fs/promises';
import { throwIfAborted } from '@windlass/base';
import { isNoEntry } from './errors.ts';

/** The inode tells a file from another one in its place; its change time moves with every change of it. */
export async function walkedTreeState(
  path: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const state = new Map<string, string>();
  const pending = [''];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    throwIfAborted(signal);
    const full = at === '' ? path : `${path}/${at}`;
    try {
      const stats = await lstat(full, { bigint: true });
      state.set(at, `${stats.ino} ${stats.ctimeNs}`);
      if (!stats.isDirectory()) continue;
      for (const name of await readdir(full)) pending.push(at === '' ? name : `${at}/${name}`);
    } catch (error) {
      if (!isNoEntry(error) || at === '') throw error;
      // It was there a moment ago, which is a change of its own.
      state.set(at, 'gone');
    }
  }
  return state;
}

/** What `find` prints of each entry: its inode, its change time and its path, ended by a zero byte. */
export const TREE_STATE_FORMAT = String.raw`%i %C@ %P\0`;

/** Within so many seconds older kernels give two changes one time. */
const TICK_SECONDS = 0.02;

/**
 * As `walkedTreeState`, from what `find` printed. An entry that was changed a moment ago may be changed again without
 * its time moving: such a reading is like no other.
 * @param now in seconds since 1970, not later than `find` was started
 */
export function parseTreeState(output: string, now: number): ReadonlyMap<string, string> {
  const state = new Map<string, string>();
  for (const line of output.split('\0')) {
    const [, stamp, time, path] = /^(\d+ (\d+\.\d+)) ([^]*)$/.exec(line) ?? [];
    if (stamp === undefined || path === undefined) continue;
    state.set(path, Number(time) < now - TICK_SECONDS ? stamp : `${stamp} read at ${now}`);
  }
  return state;
}
