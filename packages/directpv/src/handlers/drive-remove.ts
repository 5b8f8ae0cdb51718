import { type Cached, removeFinalizer } from '@windlass/apimachinery';
import { changeDrive, type NodeContext } from '../node-service/node-context.ts';
import { messageOf } from '../node-service/requests.ts';
import { unmountAll } from '../node-service/unmount-all.ts';
import { type DirectPVDrive, FINALIZERS, volumesOfDrive } from '../resources/index.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { unmountDrive } from './drive-mount.ts';

/**
 * Gives a drive back: unmounts it and lets its object go. What is on it stays. A drive with volumes is not removed.
 * Also for one that was deleted by hand.
 */
export async function removeDrive(
  context: NodeContext,
  inventory: DeviceInventory,
  drive: Cached<DirectPVDrive>,
  signal: AbortSignal,
): Promise<void> {
  const { os, layout, drives, logger } = context;
  const { fsuuid } = drive.status;
  const volumes = volumesOfDrive(drive);
  if (volumes.length > 0) {
    // Its last volume's going is an event of the drive, so there is nothing to try again.
    logger.info('a drive that is to go still holds volumes', { drive: fsuuid, volumes });
    return;
  }
  const isThere = (await inventory.withFileSystem(fsuuid)).length > 0;
  if (isThere) await unmountDrive(context, drive, signal);
  else await unmountAll(os, await os.realPath(layout.mountPath(fsuuid)), signal);
  let isTaken = false;
  const left = await changeDrive(
    context,
    fsuuid,
    (newest) => {
      isTaken = volumesOfDrive(newest).length > 0;
      return isTaken ? newest : removeFinalizer(newest, FINALIZERS.dataProtection);
    },
    signal,
  );
  if (isTaken) return;
  if (left !== undefined) await drives.delete(fsuuid, { signal });
  inventory.forget();
  try {
    await os.removeDirectory(layout.mountPath(fsuuid));
  } catch (error) {
    logger.warn('the directory of a removed drive stays', { drive: fsuuid, why: messageOf(error) });
  }
}
