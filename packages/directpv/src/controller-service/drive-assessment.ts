import { type Cached, isBeingDeleted } from '@windlass/apimachinery';
import { usableCapacity } from '../accounting/index.ts';
import {
  ANNOTATIONS,
  type DirectPVDrive,
  holdsVolume,
  isSnapshotId,
  readReservations,
  USABLE_BYTES,
  volumesOfDrive,
} from '../resources/index.ts';
import type { Holding } from './holdings.ts';

type Drive = Cached<DirectPVDrive>;

/** What does not fit together about a drive, or is only under way. Time tells which. */
export type DriveProblem =
  /** DirectPV wrote it, and counts otherwise. */
  | { readonly kind: 'not-adopted' }
  /** It holds a volume that has no object, or whose object names another drive. */
  | { readonly kind: 'orphan'; readonly volume: string; readonly at: string }
  /** It holds more bytes for a volume than its object says. */
  | { readonly kind: 'expansion'; readonly volume: string; readonly at: string; readonly bytes: number }
  /** A reservation that its volume's object has caught up with. */
  | { readonly kind: 'settled'; readonly volume: string; readonly at: string }
  /** A volume that names it, but that no drive holds. */
  | { readonly kind: 'unheld'; readonly volume: string }
  | { readonly kind: 'sums'; readonly expected: number };

/** The same text for the same problem, so that its age can be told. */
export function problemKey(problem: DriveProblem): string {
  return JSON.stringify(problem);
}

/**
 * @param volumes those whose objects name the drive, and snapshots
 * @param isHeldElsewhere whether another drive holds a volume
 */
export function assess(
  drive: Drive,
  volumes: readonly Holding[],
  isHeldElsewhere: (volume: string) => boolean,
): DriveProblem[] {
  // While volumes are moved to it, it holds what others still name as theirs.
  if (drive.status.status === 'Moving') return [];
  const problems: DriveProblem[] = [];
  if (drive.metadata?.annotations?.[ANNOTATIONS.accounting] !== USABLE_BYTES)
    problems.push({ kind: 'not-adopted' });

  const byId = new Map(volumes.map((volume) => [volume.metadata.name, volume]));
  const reservations = readReservations(drive);
  let allocated = 0;
  for (const volume of volumesOfDrive(drive)) {
    const reservation = reservations.get(volume);
    const recorded = byId.get(volume)?.status.totalCapacity;
    allocated += reservation?.bytes ?? recorded ?? 0;
    const at = reservation?.at ?? '';
    if (recorded === undefined) problems.push({ kind: 'orphan', volume, at });
    else if (reservation !== undefined && recorded >= reservation.bytes)
      problems.push({ kind: 'settled', volume, at });
    // One that is being taken is its node's business.
    else if (reservation !== undefined && !isSnapshotId(volume))
      problems.push({ kind: 'expansion', volume, at, bytes: reservation.bytes });
  }
  for (const [volume, object] of byId)
    if (isPending(object)) continue;
    else if (!holdsVolume(drive, volume) && !isBeingDeleted(object) && !isHeldElsewhere(volume))
      problems.push({ kind: 'unheld', volume });

  const { totalCapacity, freeCapacity, allocatedCapacity } = drive.status;
  const usable = usableCapacity(drive);
  // Somebody who counts otherwise has written it: it says more than its node has measured.
  const isInflated = totalCapacity !== usable;
  if (isInflated || allocatedCapacity !== allocated || freeCapacity !== Math.max(0, usable - allocated))
    problems.push({ kind: 'sums', expected: allocated });
  return problems;
}

/** A snapshot that nothing is set aside for yet. */
function isPending({ metadata, status }: Holding): boolean {
  return isSnapshotId(metadata.name) && status.totalCapacity === 0;
}
