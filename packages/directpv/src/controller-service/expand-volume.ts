import { type Cached, formatMicroTime, isBeingDeleted } from '@windlass/apimachinery';
import { retryOnConflict } from '@windlass/client';
import { type ControllerExpandVolumeResponse, GrpcError, type MessageInit } from '@windlass/csi';
import { expand, InsufficientCapacityError, VolumeNotHeldError } from '../accounting/index.ts';
import { type DirectPVVolume, EVENT_REASONS, isVolumeId, readReservations } from '../resources/index.ts';
import { type ControllerContext, findLive, forWriting } from './context.ts';
import { DriveGoneError } from './errors.ts';
import { isWithin, type SizeRange } from './volume-request.ts';

type Volume = Cached<DirectPVVolume>;

/**
 * Gives a volume more bytes, in two writes: the drive sets the difference aside, then the volume's object says so.
 * The node brings the quota up to it. Asked twice, it takes the bytes once; what a crash leaves between the two, the
 * same call finishes, and without one the loop that repairs drives does.
 */
export async function expandVolume(
  context: ControllerContext,
  id: string,
  size: SizeRange,
  signal: AbortSignal,
): Promise<MessageInit<ControllerExpandVolumeResponse>> {
  const { ledger, locks, clock, recorder } = context;
  return locks.run(id, signal, async () => {
    const before = await readVolume(context, id, signal);
    if (before.status.totalCapacity >= size.required) return done(before, size);

    const at = formatMicroTime(clock.now());
    const { fsuuid } = before.status;
    let current = before;
    const drive = await ledger
      .change(fsuuid, {
        prepare: async () => {
          current = await readVolume(context, id, signal);
        },
        apply: (drive) =>
          expand(drive, { volume: id, current: current.status.totalCapacity, bytes: size.required, at }),
        withhold: size.required - before.status.totalCapacity,
        signal,
      })
      .catch((error: unknown) => {
        if (error instanceof InsufficientCapacityError)
          throw new GrpcError(
            'OUT_OF_RANGE',
            `volume ${id} cannot have ${size.required} bytes: ${error.message}`,
          );
        if (error instanceof DriveGoneError || error instanceof VolumeNotHeldError)
          throw new GrpcError('ABORTED', `volume ${id} is not held by drive ${fsuuid} now; try again`, error);
        throw error;
      });

    // Somebody may have reserved more for it meanwhile: the volume's object says what the drive says.
    const held = readReservations(drive).get(id)?.bytes ?? size.required;
    const expanded = await recordSize(context, id, held, signal);
    recorder.normal(expanded, EVENT_REASONS.volumeExpanded, `expanded to ${held} bytes`);
    return done(expanded, size);
  });
}

/** A node may not have done its part, whoever expanded the volume; it knows when there is nothing left to do. */
function done(volume: Volume, size: SizeRange): MessageInit<ControllerExpandVolumeResponse> {
  const { totalCapacity } = volume.status;
  if (!isWithin(size, totalCapacity))
    throw new GrpcError(
      'OUT_OF_RANGE',
      `volume ${volume.metadata.name} has ${totalCapacity} bytes already, more than limit_bytes ${size.limit}`,
    );
  return { capacityBytes: totalCapacity, nodeExpansionRequired: true };
}

/** Makes a volume's object say at least so many bytes: what its drive holds for it. */
export async function recordSize(
  { volumes, clock, random }: ControllerContext,
  id: string,
  bytes: number,
  signal: AbortSignal,
): Promise<Volume> {
  return retryOnConflict(
    async () => {
      const volume = await volumes.live().get(id, { signal });
      const { totalCapacity, availableCapacity } = volume.status;
      if (totalCapacity >= bytes) return volume;
      const status = {
        ...volume.status,
        totalCapacity: bytes,
        availableCapacity: availableCapacity + bytes - totalCapacity,
      };
      return volumes.update(forWriting({ ...volume, status }), { signal });
    },
    { signal, clock, random, attempts: 10 },
  );
}

async function readVolume(context: ControllerContext, id: string, signal: AbortSignal): Promise<Volume> {
  const volume = isVolumeId(id) ? await findLive(context, id, signal) : undefined;
  if (volume === undefined) throw new GrpcError('NOT_FOUND', `volume ${JSON.stringify(id)} does not exist`);
  if (isBeingDeleted(volume))
    throw new GrpcError('FAILED_PRECONDITION', `volume ${id} is being deleted and cannot be expanded`);
  return volume;
}
