import { type OperatingSystem, systemCode } from '../os/index.ts';
import { mountAt } from '../os/mount-entry.ts';

/** More mounts at one path than anything of ours makes. */
const MOST = 64;

/**
 * Takes every mount at a path away. One that is in use, or whose device is gone, is taken out of the tree and ends
 * with its last user: the caller has been told that nobody is to use it any more.
 */
export async function unmountAll(os: OperatingSystem, path: string, signal?: AbortSignal): Promise<void> {
  const call = signal === undefined ? {} : { signal };
  for (let count = 0; count < MOST && mountAt(await os.mounts(), path) !== undefined; count++)
    try {
      await os.unmount(path, call);
    } catch (error) {
      const code = systemCode(error);
      if (code !== 'EBUSY' && code !== 'EIO') throw error;
      await os.unmount(path, { ...call, lazy: true });
    }
}
