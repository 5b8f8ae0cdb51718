import { type Cached, isBeingDeleted } from '@windlass/apimachinery';
import { withDeadline } from '@windlass/base';
import { GrpcError } from '@windlass/csi';
import { InsufficientCapacityError, isIn } from '../../accounting/index.ts';
import {
  awaitsContents,
  type ContentSource,
  contentSource,
  contentState,
  type DirectPVDrive,
  type DirectPVSnapshot,
  type DirectPVVolume,
  isSnapshotId,
  isVolumeId,
  nodeOfDrive,
} from '../../resources/index.ts';
import { type ControllerContext, findLive, findLiveSnapshot } from '../context.ts';
import { letGo } from '../delete-volume.ts';
import { DriveUnfitError } from '../errors.ts';
import { isGoing } from '../list-volumes.ts';
import type { Places, SizeRange } from '../volume-request.ts';

/** So long a call waits for its node; the caller asks again. */
export const NODE_MS = 45_000;

/** What a new volume is made of: where that is, and how large the volume is at least. */
export interface Origin {
  readonly source: ContentSource;
  readonly drive: string;
  readonly bytes: number;
}

/** @throws GrpcError NOT_FOUND, and ABORTED for a snapshot that is not taken yet */
export async function findOrigin(
  context: ControllerContext,
  source: ContentSource,
  signal: AbortSignal,
): Promise<Origin> {
  const { kind, id } = source;
  if (kind === 'snapshot') {
    const snapshot = await findSnapshot(context, id, signal);
    if (snapshot.status.status !== 'Ready')
      throw new GrpcError('ABORTED', `snapshot ${id} is not taken yet; try again when it is`);
    return { source, drive: snapshot.status.fsuuid, bytes: snapshot.status.restoreSize };
  }
  const volume = isVolumeId(id) ? await findLive(context, id, signal) : undefined;
  if (volume === undefined || isGoing(volume))
    throw new GrpcError('NOT_FOUND', `volume ${JSON.stringify(id)}, which is to be cloned, does not exist`);
  return { source, drive: volume.status.fsuuid, bytes: volume.status.totalCapacity };
}

/** @throws GrpcError NOT_FOUND */
export async function findSnapshot(
  context: ControllerContext,
  id: string,
  signal: AbortSignal,
): Promise<Cached<DirectPVSnapshot>> {
  const snapshot = isSnapshotId(id) ? await findLiveSnapshot(context, id, signal) : undefined;
  if (snapshot === undefined || isBeingDeleted(snapshot))
    throw new GrpcError('NOT_FOUND', `snapshot ${JSON.stringify(id)} does not exist`);
  return snapshot;
}

/** The size that is asked for, as what is copied allows it. @throws GrpcError OUT_OF_RANGE */
export function sizeFor({ required, limit }: SizeRange, { source, bytes }: Origin): SizeRange {
  const isTooSmall = (required > 0 && required < bytes) || (limit > 0 && limit < bytes);
  if (isTooSmall)
    throw new GrpcError(
      'OUT_OF_RANGE',
      `a volume that is made of ${source.kind} ${source.id} needs ${bytes} bytes at least; ask for that or more`,
    );
  return { required: Math.max(required, bytes), limit };
}

/** A copy by reflink stays on its drive. @throws GrpcError RESOURCE_EXHAUSTED, so that another node is tried */
export function requireReachable(
  drive: Cached<DirectPVDrive> | undefined,
  { source, drive: name }: Origin,
  { requisite }: Places,
): void {
  if (drive === undefined)
    throw new GrpcError(
      'UNAVAILABLE',
      `drive ${name} of ${source.kind} ${source.id} is not known; try again`,
    );
  if (requisite.length === 0 || requisite.some((place) => isIn(drive, place))) return;
  throw new GrpcError(
    'RESOURCE_EXHAUSTED',
    `${source.kind} ${source.id} is on drive ${name} of node ${nodeOfDrive(drive)}, and volumes that are made of it are on the same drive; run the pod on that node`,
  );
}

/** No other drive can be tried. @throws GrpcError RESOURCE_EXHAUSTED, for a drive that does not take the volume */
export function requireRoom(error: unknown, { source, drive }: Origin): void {
  if (!(error instanceof InsufficientCapacityError || error instanceof DriveUnfitError)) return;
  throw new GrpcError(
    'RESOURCE_EXHAUSTED',
    `a volume that is made of ${source.kind} ${source.id} has to be on the same drive ${drive}: ${error.message}`,
    error,
  );
}

/**
 * Resolves when the volume has its contents; at once for one that began empty. The caller has the volume's lock.
 * @throws GrpcError ABORTED, or NOT_FOUND where there is nothing to copy any more: then the volume is let go
 */
export async function contentsOf(
  context: ControllerContext,
  volume: Cached<DirectPVVolume>,
  signal: AbortSignal,
): Promise<Cached<DirectPVVolume>> {
  const source = contentSource(volume);
  if (source === undefined || !awaitsContents(volume)) return volume;
  const id = volume.metadata.name;
  using deadline = withDeadline(context.clock, NODE_MS, `copying to volume ${id}`, signal);
  return context.changes.until(
    id,
    async () => {
      const current = await findLive(context, id, deadline.signal);
      if (current === undefined || isBeingDeleted(current))
        throw new GrpcError('ABORTED', `volume ${id} was deleted before it had its contents`);
      if (!awaitsContents(current)) return current;
      const state = contentState(current);
      if (state === undefined) return undefined;
      if (await isSourceGone(context, source, deadline.signal)) {
        await letGo(context, id, deadline.signal);
        throw new GrpcError('NOT_FOUND', `volume ${id} cannot be made: ${state}`);
      }
      throw new GrpcError('ABORTED', `volume ${id} does not have its contents yet: ${state}`);
    },
    deadline.signal,
  );
}

async function isSourceGone(
  context: ControllerContext,
  source: ContentSource,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await findOrigin(context, source, signal);
    return false;
  } catch (error) {
    if (error instanceof GrpcError) return error.code === 'NOT_FOUND';
    throw error;
  }
}
