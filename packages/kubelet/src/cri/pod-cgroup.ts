// The cgroup of a pod as a whole: what all of its containers together may take.
import { access, readdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { Logger } from '@windlass/base';
import { errorCode } from '../volume-manager/files/node-files.ts';
import { CGROUP_ROOT, type CgroupDriver, podCgroup } from './config/cgroup-names.ts';
import { podCgroupFiles } from './config/pod-limits.ts';

/** Where the kernel shows cgroups. */
export const CGROUPS = '/sys/fs/cgroup';
/** Pods of each class have a folder; those of the best one are beside it. */
const CLASSES = ['', 'burstable', 'besteffort'];

/** Gives a pod its limits, once its sandbox has made the folder. What the kernel lacks is left out. */
export async function limitPod(
  pod: Cached<Pod>,
  {
    cgroups,
    driver,
    logger,
  }: { readonly cgroups: string; readonly driver: CgroupDriver; readonly logger: Logger },
): Promise<void> {
  const isUnified = await exists(join(cgroups, 'cgroup.controllers'));
  // Slices are systemd's own, and it takes back what it did not write.
  if (driver === 'systemd') return;
  const folder = podCgroup(pod, driver);
  for (const { controller, name, value } of podCgroupFiles(pod, isUnified ? 'v2' : 'v1')) {
    const path = join(cgroups, isUnified ? '' : controller, folder, name);
    try {
      await writeFile(path, value);
    } catch (error) {
      logger.debug('a limit of a pod cannot be set', { path, value, error });
    }
  }
}

/** The folders of a pod that is gone. The kernel keeps those in which something still runs. */
export async function removePodCgroup(uid: string, cgroups: string): Promise<void> {
  for (const hierarchy of ['', ...(await controllers(cgroups))])
    for (const name of CLASSES)
      await rmdir(join(cgroups, hierarchy, CGROUP_ROOT, name, `pod${uid}`)).catch((error: unknown) => {
        if (!['ENOENT', 'ENOTDIR', 'EBUSY', 'EROFS', 'EACCES'].includes(errorCode(error) ?? '')) throw error;
      });
}

async function controllers(cgroups: string): Promise<string[]> {
  const entries = await readdir(cgroups, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
