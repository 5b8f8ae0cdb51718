import { addFinalizer, type Cached, deepEqual, removeFinalizer } from '@windlass/apimachinery';
import {
  ANNOTATIONS,
  type DirectPVDrive,
  readReservations,
  USABLE_BYTES,
  volumeFinalizer,
  volumesOfDrive,
  withReservations,
} from '../resources/index.ts';
import { isCounted, usableCapacity } from './measured-capacity.ts';

type Drive = Cached<DirectPVDrive>;

/** What the objects of a cluster say about a drive. */
export interface DriveFacts {
  /**
   * The volumes whose objects belong to the drive, and what they say of their size. Without those that are being
   * deleted and that the drive does not hold: their bytes have been given back.
   */
  readonly volumes: ReadonlyMap<string, number>;
  /**
   * Volumes that the drive holds, but that have no object here and never will: whoever made them is gone.
   * @default none
   */
  readonly abandoned?: ReadonlySet<string>;
}

/**
 * The drive as it should be, given its volumes; the very drive when it is so.
 *
 * - Every volume of the drive is held by it, and nothing that was abandoned is.
 * - Reservations that the volumes have caught up with, or that nobody holds, are dropped.
 * - Allocated is what is held, together.
 * - Free is what is left of the total, on drives that count so. A drive that DirectPV wrote is adopted: what it
 *   says is free stays what it says or becomes less, and the total becomes what volumes can have. The file system's
 *   own blocks, which DirectPV counts in the total, therefore never turn into capacity; nor does what its expansions
 *   lost. The drive's node gives both back when it measures, or takes more away.
 */
export function repair(drive: Drive, { volumes, abandoned = new Set() }: DriveFacts): Drive {
  const wanted = new Set([...volumesOfDrive(drive), ...volumes.keys()]);
  for (const volume of abandoned) if (!volumes.has(volume)) wanted.delete(volume);

  let repaired = drive;
  for (const volume of volumesOfDrive(drive))
    if (!wanted.has(volume)) repaired = removeFinalizer(repaired, volumeFinalizer(volume));
  for (const volume of wanted) repaired = addFinalizer(repaired, volumeFinalizer(volume));

  const reservations = new Map(
    [...readReservations(drive)].filter(
      // A volume that is larger than its reservation has been expanded by somebody who knew nothing of it.
      ([volume, { bytes }]) => wanted.has(volume) && (volumes.get(volume) ?? -1) < bytes,
    ),
  );
  let allocatedCapacity = 0;
  for (const volume of wanted)
    allocatedCapacity += reservations.get(volume)?.bytes ?? volumes.get(volume) ?? 0;

  const totalCapacity = totalOf(drive, { wanted, volumes, allocatedCapacity });
  const freeCapacity = Math.max(0, totalCapacity - allocatedCapacity);

  const next: Drive = {
    ...repaired,
    metadata: {
      ...repaired.metadata,
      annotations: {
        ...withReservations(drive.metadata?.annotations, reservations),
        [ANNOTATIONS.accounting]: USABLE_BYTES,
      },
    },
    status: { ...drive.status, totalCapacity, freeCapacity, allocatedCapacity },
  };
  return deepEqual(next, drive) ? drive : next;
}

interface Held {
  readonly wanted: ReadonlySet<string>;
  readonly volumes: ReadonlyMap<string, number>;
  readonly allocatedCapacity: number;
}

/** The bytes that volumes can have on the drive, those that they have included. */
function totalOf(drive: Drive, { wanted, volumes, allocatedCapacity }: Held): number {
  const { freeCapacity, allocatedCapacity: said } = drive.status;
  const totalCapacity = usableCapacity(drive);
  if (isCounted(drive)) return totalCapacity;
  const before = new Set(volumesOfDrive(drive));
  let returned = 0;
  for (const [volume, { bytes }] of readReservations(drive))
    if (before.has(volume) && !wanted.has(volume)) returned += bytes;
  let added = 0;
  for (const volume of wanted) if (!before.has(volume)) added += volumes.get(volume) ?? 0;
  // What DirectPV says is allocated may have the file system's own blocks in it, which then hide what is missing.
  const missing = Math.max(added, allocatedCapacity - (said - returned), 0);
  const free = Math.max(0, freeCapacity + returned - missing);
  return Math.min(totalCapacity, free + allocatedCapacity);
}
