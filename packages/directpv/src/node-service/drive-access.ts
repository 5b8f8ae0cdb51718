import type { Cached } from '@windlass/apimachinery';
import { GrpcError } from '@windlass/csi';
import { isIoError, isNoEntry } from '../os/errors.ts';
import { type MountEntry, mountAt } from '../os/mount-entry.ts';
import { type DirectPVDrive, EVENT_REASONS, withProblem } from '../resources/index.ts';
import { changeDrive, type NodeContext } from './node-context.ts';

type Drive = Cached<DirectPVDrive>;

/** What a mount of a volume shows, exactly. */
export type VolumeIdentity = Pick<MountEntry, 'majorMinor' | 'root'>;

/** The drive's mount, once it is certain that it is the drive's. @throws GrpcError FAILED_PRECONDITION */
export async function requireMounted(context: NodeContext, drive: Drive): Promise<MountEntry> {
  const { os, layout } = context;
  const { fsuuid, status } = drive.status;
  const path = await os.realPath(layout.mountPath(fsuuid));
  const mount = mountAt(await os.mounts(), path);
  if (mount === undefined || mount.root !== '/')
    throw new GrpcError('FAILED_PRECONDITION', `drive ${fsuuid} is not mounted; its status is ${status}`);
  if ((await os.entryType(layout.sentinel(fsuuid))) === undefined)
    throw new GrpcError(
      'FAILED_PRECONDITION',
      `what is mounted at ${path} is not drive ${fsuuid}: it has no ${layout.sentinel(fsuuid)}`,
    );
  return mount;
}

/** Runs work on a drive. An I/O error is noted on the drive, so that no new volume goes there. */
export async function onDrive<T>(context: NodeContext, fsuuid: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isIoError(error)) await reportIoError(context, fsuuid);
    if (isNoEntry(error))
      throw new GrpcError('FAILED_PRECONDITION', `drive ${fsuuid} is not as it should be`, error);
    throw error;
  }
}

export async function reportIoError(context: NodeContext, fsuuid: string): Promise<void> {
  const { clock, recorder, logger } = context;
  try {
    const drive = await changeDrive(context, fsuuid, (current): Drive => {
      const { status } = current.status;
      if (status !== 'Ready' && status !== 'Error') return current;
      const known = withProblem(current, 'IOError', 'Drive has I/O error', clock);
      return status === 'Error' ? known : { ...known, status: { ...known.status, status: 'Error' } };
    });
    if (drive !== undefined) recorder.warning(drive, EVENT_REASONS.driveHasIoError, 'Drive has I/O error');
  } catch (error) {
    // The next check of the drive finds it again.
    logger.warn('an I/O error could not be noted on the drive', { drive: fsuuid, error });
  }
}
