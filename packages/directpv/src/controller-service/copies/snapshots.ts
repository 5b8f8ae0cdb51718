import {
  type Cached,
  formatMicroTime,
  isAlreadyExists,
  isBeingDeleted,
  isNotFound,
} from '@windlass/apimachinery';
import { withDeadline } from '@windlass/base';
import {
  type CreateSnapshotRequest,
  type CreateSnapshotResponse,
  GrpcError,
  type ListSnapshotsRequest,
  type ListSnapshotsResponse,
  type MessageInit,
  type Snapshot,
} from '@windlass/csi';
import {
  ANNOTATIONS,
  CREATED_BY,
  type DirectPVSnapshot,
  type DirectPVVolume,
  FINALIZERS,
  isSnapshotId,
  isVolumeId,
  LABELS,
  SNAPSHOT_REASONS,
  snapshotIdOf,
  VERSION,
} from '../../resources/index.ts';
import { type ControllerContext, findLive, findLiveSnapshot } from '../context.ts';
import { isGoing } from '../list-volumes.ts';
import { pageOf } from '../pages.ts';
import { findSnapshot, NODE_MS } from './content.ts';

type SnapshotObject = Cached<DirectPVSnapshot>;

/**
 * Asks the volume's node for a snapshot and waits for it. The node sets the bytes aside and copies. What a call that
 * was given up has begun, the same call finds again; a refusal leaves nothing behind.
 */
export async function createSnapshot(
  context: ControllerContext,
  { name, sourceVolumeId }: CreateSnapshotRequest,
  signal: AbortSignal,
): Promise<MessageInit<CreateSnapshotResponse>> {
  if (name === '') throw invalid('a snapshot needs a name; the request has none');
  if (sourceVolumeId === '') throw invalid('the request names no volume (source_volume_id)');
  const id = snapshotIdOf(name);
  return context.locks.run(id, signal, async () => {
    const existing = await findLiveSnapshot(context, id, signal);
    if (existing !== undefined) requireSame(existing, name, sourceVolumeId);
    if (existing?.status.status === 'Ready') return { snapshot: toCsiSnapshot(existing) };
    const volume = isVolumeId(sourceVolumeId) ? await findLive(context, sourceVolumeId, signal) : undefined;
    if (volume === undefined || isGoing(volume)) {
      if (existing !== undefined) await remove(context, existing, signal);
      throw new GrpcError('NOT_FOUND', `volume ${JSON.stringify(sourceVolumeId)} does not exist`);
    }
    if (existing === undefined) await ask(context, id, name, volume, signal);
    return { snapshot: toCsiSnapshot(await taken(context, id, signal)) };
  });
}

function requireSame(snapshot: SnapshotObject, name: string, volume: string): void {
  const exists = (why: string): GrpcError =>
    new GrpcError('ALREADY_EXISTS', `snapshot ${JSON.stringify(name)} exists, but ${why}`);
  const requestedName = snapshot.metadata?.annotations?.[ANNOTATIONS.requestedName];
  if (requestedName !== name) throw exists(`was made for the name ${JSON.stringify(requestedName)}`);
  if (snapshot.status.volume !== volume) throw exists(`is of volume ${snapshot.status.volume}`);
  if (isBeingDeleted(snapshot))
    throw new GrpcError(
      'ABORTED',
      `snapshot ${snapshot.metadata.name} is being deleted; try again when it is gone`,
    );
}

async function ask(
  { snapshots, clock }: ControllerContext,
  id: string,
  name: string,
  { metadata, status }: Cached<DirectPVVolume>,
  signal: AbortSignal,
): Promise<void> {
  const { fsuuid, totalCapacity } = status;
  const wanted: DirectPVSnapshot = {
    apiVersion: 'directpv.min.io/v1beta1',
    kind: 'DirectPVSnapshot',
    metadata: {
      name: id,
      labels: {
        [LABELS.drive]: fsuuid,
        [LABELS.node]: metadata?.labels?.[LABELS.node] ?? '',
        [LABELS.driveName]: metadata?.labels?.[LABELS.driveName] ?? '',
        [LABELS.version]: VERSION,
        [LABELS.createdBy]: CREATED_BY.volume,
      },
      annotations: {
        [ANNOTATIONS.createdAt]: formatMicroTime(clock.now()),
        [ANNOTATIONS.requestedName]: name,
      },
      finalizers: [FINALIZERS.purgeProtection],
    },
    status: {
      volume: metadata.name,
      fsuuid,
      totalCapacity: 0,
      restoreSize: totalCapacity,
      status: 'Pending',
    },
  };
  try {
    await snapshots.create(wanted, { signal });
  } catch (error) {
    // Another replica was faster.
    if (!isAlreadyExists(error)) throw error;
  }
}

/** @throws GrpcError with what the node says */
async function taken(context: ControllerContext, id: string, signal: AbortSignal): Promise<SnapshotObject> {
  using deadline = withDeadline(context.clock, NODE_MS, `snapshot ${id}`, signal);
  return context.changes.until(
    id,
    async () => {
      const snapshot = await findLiveSnapshot(context, id, deadline.signal);
      if (snapshot === undefined || isBeingDeleted(snapshot))
        throw new GrpcError('ABORTED', `snapshot ${id} was deleted before it was taken`);
      const { status, reason, message } = snapshot.status;
      if (status === 'Ready') return snapshot;
      if (reason === undefined) return undefined;
      const why = `snapshot ${id} of volume ${snapshot.status.volume} cannot be taken: ${message ?? reason}`;
      const code = REFUSALS[reason];
      if (code === undefined) throw new GrpcError('ABORTED', why);
      // Nobody may ever ask for it again: callers take these answers for final.
      await remove(context, snapshot, deadline.signal);
      throw new GrpcError(code, why);
    },
    deadline.signal,
  );
}

const REFUSALS: Partial<Record<string, 'RESOURCE_EXHAUSTED' | 'FAILED_PRECONDITION'>> = {
  [SNAPSHOT_REASONS.insufficientCapacity]: 'RESOURCE_EXHAUSTED',
  [SNAPSHOT_REASONS.unsupported]: 'FAILED_PRECONDITION',
};

/** Lets a snapshot go. Its node removes the data and lets the object go for good; this resolves before that. */
export async function deleteSnapshot(
  context: ControllerContext,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  if (id === '') throw invalid('the request names no snapshot (snapshot_id)');
  if (!isSnapshotId(id)) return;
  await context.locks.run(id, signal, async () => {
    const snapshot = await findLiveSnapshot(context, id, signal);
    if (snapshot !== undefined) await remove(context, snapshot, signal);
  });
}

async function remove(
  { snapshots }: ControllerContext,
  snapshot: SnapshotObject,
  signal: AbortSignal,
): Promise<void> {
  if (isBeingDeleted(snapshot)) return;
  const { name, uid } = snapshot.metadata;
  try {
    await snapshots.delete(name, { signal, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** One snapshot. @throws GrpcError NOT_FOUND */
export async function getSnapshot(
  context: ControllerContext,
  id: string,
  signal: AbortSignal,
): Promise<MessageInit<Snapshot>> {
  if (id === '') throw invalid('the request names no snapshot (snapshot_id)');
  return toCsiSnapshot(await findSnapshot(context, id, signal));
}

/** Snapshots in the order in which they were asked for; all of them, those of one volume, or one. */
export async function listSnapshots(
  { snapshots }: ControllerContext,
  { maxEntries, startingToken, snapshotId, sourceVolumeId }: ListSnapshotsRequest,
  signal: AbortSignal,
): Promise<MessageInit<ListSnapshotsResponse>> {
  const all = (await snapshots.list({ signal })).filter(
    (snapshot) =>
      !isBeingDeleted(snapshot) &&
      (snapshotId === '' || snapshot.metadata.name === snapshotId) &&
      (sourceVolumeId === '' || snapshot.status.volume === sourceVolumeId),
  );
  const { page, nextToken } = pageOf(all, { maxEntries, startingToken });
  return { entries: page.map((snapshot) => ({ snapshot: toCsiSnapshot(snapshot) })), nextToken };
}

function toCsiSnapshot({ metadata, status }: SnapshotObject): MessageInit<Snapshot> {
  return {
    snapshotId: metadata.name,
    sourceVolumeId: status.volume,
    sizeBytes: status.restoreSize,
    creationTime: status.takenAt ?? metadata.creationTimestamp,
    readyToUse: status.status === 'Ready',
  };
}

function invalid(message: string): GrpcError {
  return new GrpcError('INVALID_ARGUMENT', message);
}
