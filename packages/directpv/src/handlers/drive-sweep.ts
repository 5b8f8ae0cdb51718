import type { Cached } from '@windlass/apimachinery';
import { changeDrive, type NodeContext, readVolume } from '../node-service/node-context.ts';
import { isNoEntry } from '../os/errors.ts';
import { DELETED_SUFFIX, type DirectPVDrive, holdsVolume, PARTIAL_SUFFIX } from '../resources/index.ts';
import { clearQuota } from './purge/clear-quota.ts';
import { pendingPurges, withoutPendingPurge } from './purge/pending-purges.ts';
import type { Purger } from './purge/purger.ts';

/**
 * Removes what deletions have left on a drive: directories that were renamed before the process ended, copies
 * that were not completed and nobody wants any more, and volumes that were deleted while the drive could not be reached. Nothing else is touched, whatever its name.
 * @returns false while some of it is still being removed
 */
export async function sweepDrive(
  context: NodeContext,
  purger: Purger,
  drive: Cached<DirectPVDrive>,
  { signal, onEnd }: { readonly signal: AbortSignal; readonly onEnd: () => void },
): Promise<boolean> {
  const { os, layout } = context;
  const { fsuuid } = drive.status;
  const mountPath = layout.mountPath(fsuuid);
  for (const name of pendingPurges(drive)) {
    const volume = await readVolume(context, name, signal);
    // A volume of that name may have been made again.
    if (volume?.status.fsuuid !== fsuuid && !holdsVolume(drive, name))
      try {
        await os.rename(layout.dataPath(fsuuid, name), `${mountPath}/${name}${DELETED_SUFFIX}`);
      } catch (error) {
        if (!isNoEntry(error)) throw error;
      }
    await changeDrive(context, fsuuid, (newest) => withoutPendingPurge(newest, name), signal);
  }
  let isClean = true;
  for (const name of await os.list(mountPath)) {
    const isLeft =
      name.endsWith(PARTIAL_SUFFIX) && !holdsVolume(drive, name.slice(0, -PARTIAL_SUFFIX.length));
    if (!name.endsWith(DELETED_SUFFIX) && !isLeft) continue;
    await clearQuota(context, fsuuid, name, signal);
    isClean = purger.remove(`${mountPath}/${name}`, onEnd) && isClean;
  }
  return isClean;
}
