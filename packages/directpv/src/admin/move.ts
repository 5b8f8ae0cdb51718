import { type Cached, deepCopy, formatTime, type Served } from '@windlass/apimachinery';
import { type Clock, realClock } from '@windlass/base';
import { type Client, retryOnConflict } from '@windlass/client';
import { reserve } from '../accounting/capacity.ts';
import { freeCapacity } from '../accounting/measured-capacity.ts';
import {
  DirectPVDrive,
  DirectPVVolume,
  isPublished,
  isSnapshotId,
  LABELS,
  nodeOfDrive,
  volumeClaimIdLabel,
  volumesOfDrive,
} from '../resources/index.ts';
import type { ChangeOptions } from './admin-options.ts';
import { driveId } from './drive-query.ts';
import { RefusedError } from './errors.ts';
import { labelOf, volumeName } from './volume-query.ts';

/** Volumes that go from one drive to another. */
export interface Move {
  readonly source: Served<DirectPVDrive>;
  /** As it is now; with `dryRun`, as it was. */
  readonly destination: Served<DirectPVDrive>;
  readonly volumes: readonly Served<DirectPVVolume>[];
}

/** Options of a move. */
export interface MoveOptions extends ChangeOptions {
  /** @default the machine's */
  readonly clock?: Clock;
}

/**
 * Sends the volumes of one drive to another of the same node. This takes the room on the destination and asks its
 * node, in one write; the node then copies each volume, points it to the new drive, and only after that takes it off
 * the source. So a volume's bytes are held on both drives until its data is safe.
 * @throws RefusedError with what to do first
 */
export async function moveVolumes(
  client: Client,
  sourceId: string,
  destinationId: string,
  { dryRun = false, signal, clock = realClock }: MoveOptions = {},
): Promise<Move> {
  if (sourceId === destinationId)
    throw new RefusedError(`drive ${sourceId} cannot be moved to itself; name two drives`);
  const call = signal === undefined ? {} : { signal };
  const drives = client.resource(DirectPVDrive);
  return retryOnConflict(async () => {
    const source = await drives.get(sourceId, call);
    const destination = await drives.get(destinationId, call);
    const snapshots = volumesOfDrive(source).filter(isSnapshotId);
    if (snapshots.length > 0)
      throw new RefusedError(
        `drive ${sourceId} holds snapshots, which cannot be moved: ${snapshots.join(', ')}; delete them first`,
      );
    const volumes: Served<DirectPVVolume>[] = [];
    for (const name of volumesOfDrive(source))
      volumes.push(await client.resource(DirectPVVolume).get(name, call));
    requireMovable(source, destination, volumes);
    const wanted = withVolumes(destination, volumes, formatTime(clock.now()));
    return { source, destination: dryRun ? destination : await drives.replace(wanted, call), volumes };
  }, call);
}

function requireMovable(
  source: Served<DirectPVDrive>,
  destination: Served<DirectPVDrive>,
  volumes: readonly Served<DirectPVVolume>[],
): void {
  const [from, to] = [driveId(source), driveId(destination)];
  for (const drive of [source, destination])
    if (drive.spec?.unschedulable !== true)
      throw new RefusedError(`drive ${driveId(drive)} still gets new volumes; cordon it first`);
  if (nodeOfDrive(source) !== nodeOfDrive(destination))
    throw new RefusedError(
      `drive ${from} is on node ${nodeOfDrive(source)}, drive ${to} on ${nodeOfDrive(destination)}; choose two of one node`,
    );
  const [tier, otherTier] = [source, destination].map(
    ({ metadata }) => metadata?.labels?.[LABELS.accessTier],
  );
  if (tier !== otherTier)
    throw new RefusedError(
      `drive ${from} is of access tier ${tier ?? 'none'}, drive ${to} of ${otherTier ?? 'none'}; choose two of one tier`,
    );
  if (destination.status.status !== 'Ready')
    throw new RefusedError(`drive ${to} is ${destination.status.status}; the destination must be Ready`);
  if (source.status.status === 'Moving' || source.status.status === 'Repairing')
    throw new RefusedError(`drive ${from} is ${source.status.status}; try again when that is over`);
  if (volumes.length === 0)
    throw new RefusedError(`drive ${from} holds no volumes; there is nothing to move`);
  const busy = volumes.find(isPublished);
  if (busy !== undefined)
    throw new RefusedError(
      `volume ${volumeName(busy)} is used by pod ${labelOf(busy, LABELS.podNamespace)}/${labelOf(busy, LABELS.podName)}; delete the pods that use the drive first`,
    );
  const bytes = bytesOf(volumes);
  if (bytes > freeCapacity(destination))
    throw new RefusedError(
      `drive ${to} has ${freeCapacity(destination)} bytes free, but the volumes of ${from} need ${bytes}; choose a larger one`,
    );
  const taken = volumes.find((volume) => {
    const claim = labelOf(volume, LABELS.claimId);
    return claim !== '' && destination.metadata?.labels?.[volumeClaimIdLabel(claim)] !== undefined;
  });
  if (taken !== undefined)
    throw new RefusedError(
      `drive ${to} has a volume of claim id ${labelOf(taken, LABELS.claimId)} already, as ${volumeName(taken)} is; choose another drive`,
    );
}

const bytesOf = (volumes: readonly Served<DirectPVVolume>[]): number =>
  volumes.reduce((sum, { status }) => sum + status.totalCapacity, 0);

/** The destination with room and claims taken for all of them. The volumes' objects still name the source. */
function withVolumes(
  drive: Served<DirectPVDrive>,
  volumes: readonly Served<DirectPVVolume>[],
  at: string,
): DirectPVDrive {
  const holding = volumes.reduce((object: Cached<DirectPVDrive>, volume) => {
    const claimId = labelOf(volume, LABELS.claimId);
    return reserve(object, {
      volume: volumeName(volume),
      bytes: volume.status.totalCapacity,
      at,
      ...(claimId !== '' && { claimId }),
    });
  }, drive);
  return { ...deepCopy<DirectPVDrive>(holding), status: { ...deepCopy(holding.status), status: 'Moving' } };
}
