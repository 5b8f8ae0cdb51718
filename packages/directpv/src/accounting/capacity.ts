// Arithmetic on one drive. Every function takes a drive and gives a new one that is then written by
// compare-and-swap on its resourceVersion, so that no two writers ever count from the same state. The very drive
// comes back when nothing changes: every function may be applied again, after a conflict or an answer that was lost.
//
// At any moment a drive's allocatedCapacity is the sum of what it holds for each of its volumes: the bytes of the
// volume's reservation if there is one, of the volume's object if not.

import { addFinalizer, type Cached, removeFinalizer } from '@windlass/apimachinery';
import {
  ANNOTATIONS,
  type DirectPVDrive,
  holdsVolume,
  type Reservation,
  type Reservations,
  readReservations,
  USABLE_BYTES,
  volumeClaimIdLabel,
  volumeFinalizer,
  withReservations,
} from '../resources/index.ts';
import { InsufficientCapacityError, VolumeNotHeldError } from './errors.ts';
import { isBounded, isCounted, measuredCapacity, withinMeasured } from './measured-capacity.ts';

type Drive = Cached<DirectPVDrive>;

/** The bytes that a new volume needs on a drive. */
export interface ReserveRequest {
  /** The volume's id. */
  readonly volume: string;
  readonly bytes: number;
  /** Now, RFC 3339; makes this reservation a new one. */
  readonly at: string;
  /** No other volume with this id goes to the drive. @default none */
  readonly claimId?: string;
}

/**
 * Sets bytes aside for a volume that has no object yet. A reservation that was there for it before is renewed,
 * with these bytes.
 * @throws InsufficientCapacityError
 */
export function reserve(drive: Drive, { volume, bytes, at, claimId }: ReserveRequest): Drive {
  const reservations = readReservations(drive);
  const before = holdsVolume(drive, volume) ? reservations.get(volume) : undefined;
  if (before !== undefined && before.bytes === bytes && before.at === at) return drive;
  const taken = take(drive, bytes - (before?.bytes ?? 0));
  const held = addFinalizer(taken, volumeFinalizer(volume));
  const reserved = note(held, new Map([...reservations, [volume, { bytes, at }]]));
  if (claimId === undefined) return reserved;
  const labels = { ...reserved.metadata?.labels, [volumeClaimIdLabel(claimId)]: 'true' };
  return { ...reserved, metadata: { ...reserved.metadata, labels } };
}

/** The bytes that a volume gives back to its drive. */
export interface ReleaseRequest {
  readonly volume: string;
  /** What the volume's object says; 0 when there is none. A reservation of the drive goes before. */
  readonly bytes: number;
  /** The claim id that the volume was made with. @default none */
  readonly claimId?: string;
}

/**
 * Gives a volume's bytes back, once: together with them goes the finalizer, and a drive without it has nothing to
 * give back. The caller has removed the data before.
 */
export function release(drive: Drive, { volume, bytes, claimId }: ReleaseRequest): Drive {
  if (!holdsVolume(drive, volume)) return drive;
  const reservations = new Map(readReservations(drive));
  const held = reservations.get(volume)?.bytes ?? bytes;
  reservations.delete(volume);
  const released = note(removeFinalizer(moved(drive, -held), volumeFinalizer(volume)), reservations);
  if (claimId === undefined) return released;
  const { [volumeClaimIdLabel(claimId)]: _gone, ...labels } = { ...released.metadata?.labels };
  return { ...released, metadata: { ...released.metadata, labels } };
}

/** The bytes that a volume is to have from now on. */
export interface ExpandRequest {
  readonly volume: string;
  /** What the volume's object says now. */
  readonly current: number;
  /** What it is to have. */
  readonly bytes: number;
  /** Now, RFC 3339. */
  readonly at: string;
}

/**
 * Sets the difference aside. It counts from what the drive already holds for the volume, so that asking twice
 * takes the bytes once, whether or not the volume's object has followed.
 * @throws InsufficientCapacityError
 * @throws VolumeNotHeldError
 */
export function expand(drive: Drive, { volume, current, bytes, at }: ExpandRequest): Drive {
  if (!holdsVolume(drive, volume)) throw new VolumeNotHeldError(drive.metadata.name, volume);
  const reservations = readReservations(drive);
  const held = reservations.get(volume)?.bytes ?? current;
  if (bytes <= held) return drive;
  return note(take(drive, bytes - held), new Map([...reservations, [volume, { bytes, at }]]));
}

/** What a volume's object says of its size; undefined when there is no object, or it belongs to another drive. */
export type RecordedBytes = (volume: string) => number | undefined;

/** Drops reservations that the volumes' objects have caught up with. */
export function settle(drive: Drive, recorded: RecordedBytes): Drive {
  const reservations = readReservations(drive);
  const open = new Map([...reservations].filter(([volume, { bytes }]) => recorded(volume) !== bytes));
  return open.size === reservations.size ? drive : note(drive, open);
}

/**
 * Says how many bytes volumes may have on the drive, as measured by its node. Volumes keep what they have been
 * promised; when that is more than there is, nothing is free.
 */
export function withUsableCapacity(drive: Drive, totalCapacity: number): Drive {
  const { allocatedCapacity } = drive.status;
  const freeCapacity = Math.max(0, totalCapacity - allocatedCapacity);
  const isSaid = isCounted(drive) && measuredCapacity(drive) === totalCapacity;
  if (isSaid && drive.status.totalCapacity === totalCapacity && drive.status.freeCapacity === freeCapacity)
    return drive;
  const annotations = {
    ...drive.metadata?.annotations,
    [ANNOTATIONS.accounting]: USABLE_BYTES,
    [ANNOTATIONS.measuredCapacity]: String(totalCapacity),
  };
  return {
    ...drive,
    metadata: { ...drive.metadata, annotations },
    status: { ...drive.status, totalCapacity, freeCapacity },
  };
}

function take(written: Drive, bytes: number): Drive {
  const drive = withinMeasured(written);
  const { freeCapacity } = drive.status;
  if (bytes > freeCapacity) throw new InsufficientCapacityError(drive.metadata.name, bytes, freeCapacity);
  return moved(drive, bytes);
}

/**
 * With so many bytes more allocated, or less. A drive whose sums were wrong before does not get more than it has, and
 * one that has promised more than it has gets nothing until that is made up for. What DirectPV says of its own drives
 * may leave out what the file system needs.
 */
function moved(written: Drive, bytes: number): Drive {
  const drive = withinMeasured(written);
  const { totalCapacity, freeCapacity } = drive.status;
  const allocatedCapacity = Math.max(0, drive.status.allocatedCapacity + bytes);
  const most = isBounded(drive) ? totalCapacity - allocatedCapacity : totalCapacity;
  const status = {
    ...drive.status,
    freeCapacity: Math.max(0, Math.min(most, freeCapacity - bytes)),
    allocatedCapacity,
  };
  return { ...drive, status };
}

function note(drive: Drive, reservations: Reservations | ReadonlyMap<string, Reservation>): Drive {
  const annotations = withReservations(drive.metadata?.annotations, reservations);
  return { ...drive, metadata: { ...drive.metadata, annotations } };
}
