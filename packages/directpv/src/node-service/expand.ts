import { formatTime } from '@windlass/apimachinery';
import { GrpcError, type NodeExpandVolumeRequest } from '@windlass/csi';
import { expand, InsufficientCapacityError } from '../accounting/index.ts';
import { parseRange } from '../controller-service/volume-request.ts';
import { isStaged } from '../resources/index.ts';
import { onDrive } from './drive-access.ts';
import { changeDrive, changeVolume, type NodeContext } from './node-context.ts';
import { isEitherSuspended, requireDrive, requireText, requireVolume } from './requests.ts';
import { prepareDirectory } from './stage.ts';
import { requireAt } from './stats.ts';

/**
 * Brings the volume's limit up to its size, whatever the objects say: they were changed before, and only the limit
 * shows what has been done. Returns the size.
 */
export async function expandVolume(
  context: NodeContext,
  request: NodeExpandVolumeRequest,
  signal: AbortSignal,
): Promise<number> {
  const { volumeId, volumePath, capacityRange } = request;
  requireText(volumeId, 'volume_id');
  requireText(volumePath, 'volume_path');
  const { required, limit } = parseRange(capacityRange);
  const volume = await requireVolume(context, volumeId, signal);
  if (!isStaged(volume))
    throw new GrpcError('FAILED_PRECONDITION', `volume ${volumeId} is not staged on this node`);
  await requireAt(context, volume, volumePath);
  const drive = await requireDrive(context, volume, signal);
  if (isEitherSuspended(volume, drive))
    throw new GrpcError('FAILED_PRECONDITION', `volume ${volumeId} is suspended; resume it first`);
  const current = volume.status.totalCapacity;
  const bytes = Math.max(current, required);
  if (limit > 0 && bytes > limit)
    throw new GrpcError(
      'OUT_OF_RANGE',
      `volume ${volumeId} has ${bytes} bytes, more than limit_bytes ${limit}`,
    );
  if (bytes > current)
    await reserveMore(context, { volumeId, drive: drive.status.fsuuid, current, bytes, signal });
  await onDrive(context, drive.status.fsuuid, () =>
    prepareDirectory(context, drive, volumeId, bytes, signal),
  );
  await changeVolume(
    context,
    volumeId,
    ({ status, ...rest }) => {
      const totalCapacity = Math.max(status.totalCapacity, bytes);
      const availableCapacity = Math.max(0, totalCapacity - status.usedCapacity);
      return { ...rest, status: { ...status, totalCapacity, availableCapacity } };
    },
    signal,
  );
  return bytes;
}

interface More {
  readonly volumeId: string;
  readonly drive: string;
  readonly current: number;
  readonly bytes: number;
  readonly signal: AbortSignal;
}

/** Somebody asks the node for more than the controller has set aside: the drive is asked first. */
async function reserveMore(
  context: NodeContext,
  { volumeId, drive, current, bytes, signal }: More,
): Promise<void> {
  const at = formatTime(context.clock.now());
  try {
    await changeDrive(
      context,
      drive,
      (newest) => expand(newest, { volume: volumeId, current, bytes, at }),
      signal,
    );
  } catch (error) {
    if (error instanceof InsufficientCapacityError) throw new GrpcError('OUT_OF_RANGE', error.message, error);
    throw error;
  }
}
