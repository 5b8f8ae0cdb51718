import { type Cached, formatMicroTime, isAlreadyExists, isBeingDeleted } from '@windlass/apimachinery';
import { WindlassError, withDeadline } from '@windlass/base';
import { type CreateVolumeResponse, GrpcError, type MessageInit } from '@windlass/csi';
import {
  freeCapacity,
  InsufficientCapacityError,
  isIn,
  isSchedulable,
  meets,
  release,
  reserve,
} from '../accounting/index.ts';
import {
  ANNOTATIONS,
  CREATED_BY,
  contentSource,
  contentSourceText,
  type DirectPVDrive,
  type DirectPVVolume,
  EVENT_REASONS,
  FINALIZERS,
  holdsVolume,
  LABELS,
  nodeOfDrive,
  readReservations,
  VERSION,
} from '../resources/index.ts';
import { type ControllerContext, findLive } from './context.ts';
import {
  contentsOf,
  findOrigin,
  type Origin,
  requireReachable,
  requireRoom,
  sizeFor,
} from './copies/content.ts';
import { toCsiVolume } from './csi-volume.ts';
import { AlreadyHeldError, DriveGoneError, DriveUnfitError } from './errors.ts';
import { isWithin, type SizeRange, type WantedVolume } from './volume-request.ts';

type Drive = Cached<DirectPVDrive>;
type Volume = Cached<DirectPVVolume>;

/** So often a chosen drive may turn out not to serve before the caller is asked to try again. */
const CHOICES = 16;

/** A reservation is used for so long only; the loop that gives up on them waits longer. */
const RESERVATION_MS = 60_000;

/**
 * Makes a volume, in two writes: the drive sets its bytes aside, then the volume's object is created. Until both
 * are done nothing is promised. Whatever a crash leaves between the two, the same call made again finds and uses,
 * and without one the loop that repairs drives gives it back.
 */
export async function createVolume(
  context: ControllerContext,
  wanted: WantedVolume,
  signal: AbortSignal,
): Promise<MessageInit<CreateVolumeResponse>> {
  const { volumes, locks, ledger, clock } = context;
  return locks.run(wanted.id, signal, async () => {
    const isHeld = ledger.holdersOf(wanted.id).length > 0;
    const existing = isHeld
      ? await findLive(context, wanted.id, signal)
      : await volumes.find(wanted.id, { signal });
    if (existing !== undefined) return answer(context, wanted, existing, signal);
    const origin = wanted.source && (await findOrigin(context, wanted.source, signal));
    const sized = origin === undefined ? wanted : { ...wanted, size: sizeFor(wanted.size, origin) };
    if (origin !== undefined) requireReachable(ledger.get(origin.drive), origin, wanted.places);

    using deadline = withDeadline(clock, RESERVATION_MS, `the creation of volume ${wanted.id}`, signal);
    const reserved = await reserveOn(context, sized, origin, deadline.signal);
    if ('volume' in reserved) return answer(context, wanted, reserved.volume, signal);
    const { drive } = reserved;
    const bytes = readReservations(drive).get(wanted.id)?.bytes ?? 0;
    try {
      const made = buildVolume(context, wanted, drive, bytes);
      const volume = await volumes.create(made, { signal: deadline.signal });
      const note = `${bytes} bytes set aside on drive ${drive.metadata.name}`;
      context.recorder.normal(volume, EVENT_REASONS.volumeProvisioned, note, { related: drive });
      const whole = await contentsOf(context, volume, signal);
      return { volume: toCsiVolume(whole, drive, wanted.context) };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    // Another replica was faster, or our own write had arrived without our knowing.
    const volume = await volumes.live().get(wanted.id, { signal });
    if (volume.status.fsuuid !== drive.metadata.name) await giveBack(context, wanted, drive.metadata.name);
    return answer(context, wanted, volume, signal);
  });
}

/** The answer for a volume that is there. */
async function answer(
  context: ControllerContext,
  wanted: WantedVolume,
  volume: Volume,
  signal: AbortSignal,
): Promise<MessageInit<CreateVolumeResponse>> {
  const exists = (why: string): GrpcError =>
    new GrpcError('ALREADY_EXISTS', `volume ${JSON.stringify(wanted.name)} exists, but ${why}`);
  const requestedName = volume.metadata?.annotations?.[ANNOTATIONS.requestedName] ?? volume.metadata.name;
  if (requestedName !== wanted.name) throw exists(`was made for the name ${JSON.stringify(requestedName)}`);
  if (isBeingDeleted(volume))
    throw new GrpcError('ABORTED', `volume ${wanted.id} is being deleted; try again when it is gone`);
  const { totalCapacity, fsuuid } = volume.status;
  const { required, limit } = wanted.size;
  if (!isWithin(wanted.size, totalCapacity))
    throw exists(`has ${totalCapacity} bytes, not between ${required} and ${limit === 0 ? 'any' : limit}`);
  const claimId = volume.metadata?.labels?.[LABELS.claimId];
  if (claimId !== wanted.criteria.claimId) throw exists(`is of volume claim id ${claimId ?? 'none'}`);
  const source = contentSource(volume);
  if (source?.kind !== wanted.source?.kind || source?.id !== wanted.source?.id)
    throw exists(source === undefined ? 'began empty' : `is made of ${source.kind} ${source.id}`);
  const drive = context.ledger.get(fsuuid);
  // Without it nobody knows where the volume can be used.
  if (drive === undefined)
    throw new GrpcError(
      'ABORTED',
      `volume ${wanted.id} is on drive ${fsuuid}, which is not known; try again`,
    );
  const { requisite } = wanted.places;
  if (requisite.length > 0 && !requisite.some((place) => isIn(drive, place)))
    throw exists(`is on drive ${fsuuid} of node ${nodeOfDrive(drive)}, which is in no requested topology`);
  const whole = await contentsOf(context, volume, signal);
  return { volume: toCsiVolume(whole, drive, wanted.context) };
}

/**
 * Resolves with a drive that has bytes set aside for the volume, or with the volume if there is one after all.
 * @throws GrpcError when no drive can take it
 */
async function reserveOn(
  context: ControllerContext,
  wanted: WantedVolume,
  origin: Origin | undefined,
  signal: AbortSignal,
): Promise<{ readonly drive: Drive } | { readonly volume: Volume }> {
  const { ledger, clock } = context;
  const { id, size } = wanted;
  /** Drives that hold an older reservation and have no room for what is wanted now. */
  const except = new Set<string>();
  let failure: unknown;
  for (let choice = 0; choice < CHOICES; choice++) {
    const holder = ledger.holdersOf(id).find((name) => !except.has(name));
    const name = holder ?? origin?.drive ?? chooseDrive(context, wanted, except);
    if (name === undefined) {
      // The caller may ask again because it never heard the answer of another replica. A refusal would be final.
      const volume = await findLive(context, id, signal);
      if (volume !== undefined) return { volume };
      throw refusal(context, wanted);
    }
    const at = formatMicroTime(clock.now());
    try {
      const drive = await ledger.change(name, {
        apply: (drive) => reserveFor(wanted, drive, at),
        withhold: size.required,
        signal,
      });
      return { drive };
    } catch (error) {
      failure = error;
      if (name === origin?.drive) requireRoom(error, origin);
      if (error instanceof AlreadyHeldError) {
        const volume = await findLive(context, id, signal);
        if (volume !== undefined) return { volume };
        except.add(name);
      } else if (error instanceof InsufficientCapacityError) {
        if (holder !== undefined) except.add(name);
      } else if (!(error instanceof DriveUnfitError || error instanceof DriveGoneError)) throw error;
    }
  }
  throw new GrpcError(
    'ABORTED',
    `drives filled up faster than volume ${id} could be placed; try again`,
    failure,
  );
}

function reserveFor({ id, criteria, size }: WantedVolume, drive: Drive, at: string): Drive {
  const { claimId } = criteria;
  const request = { volume: id, at, ...(claimId !== undefined && { claimId }) };
  if (holdsVolume(drive, id)) {
    // What a drive holds for the volume is the volume's, even if the drive takes no new ones by now.
    const held = readReservations(drive).get(id)?.bytes;
    if (held === undefined) throw new AlreadyHeldError(drive.metadata.name, id);
    const bytes = isWithin(size, held) ? held : sizeOn(freeCapacity(drive) + held, size);
    return reserve(drive, { ...request, bytes });
  }
  if (!(isSchedulable(drive) && meets(drive, criteria))) throw new DriveUnfitError(drive.metadata.name);
  return reserve(drive, { ...request, bytes: sizeOn(freeCapacity(drive), size) });
}

/** Everything there is when nothing is said of the size. */
function sizeOn(free: number, { required, limit }: SizeRange): number {
  if (required > 0) return required;
  return Math.max(1, limit === 0 ? free : Math.min(free, limit));
}

function chooseDrive(
  { ledger }: ControllerContext,
  { size, criteria, places }: WantedVolume,
  except: ReadonlySet<string>,
): string | undefined {
  const drive = ledger.choose({ ...criteria, ...places, bytes: Math.max(1, size.required), except });
  return drive === undefined ? undefined : drive.metadata.name;
}

function refusal({ metrics }: ControllerContext, { size, places }: WantedVolume): GrpcError {
  metrics.refusals.inc();
  const wish = size.required > 0 ? `${size.required} bytes` : 'any size';
  const isPlaced = places.requisite.length > 0 || places.preferred.length > 0;
  if (isPlaced) {
    const nodes = [...places.preferred, ...places.requisite].map((place) => place[LABELS.node]);
    const named = [...new Set(nodes.filter((node) => node !== undefined))].join(', ') || 'any';
    return new GrpcError(
      'RESOURCE_EXHAUSTED',
      `no drive found for requested topology; requested node(s): ${named}; requested size: ${wish}`,
    );
  }
  if (size.required > 0) return new GrpcError('OUT_OF_RANGE', `no drive found for requested size: ${wish}`);
  return new GrpcError('FAILED_PRECONDITION', 'no drive found that takes volumes and has room');
}

/** What was set aside on a drive and is not needed. What fails here, the loop that repairs drives does later. */
async function giveBack(
  { ledger, logger }: ControllerContext,
  { id, criteria }: WantedVolume,
  drive: string,
): Promise<void> {
  const { claimId } = criteria;
  try {
    await ledger.change(drive, {
      apply: (held) => release(held, { volume: id, bytes: 0, ...(claimId !== undefined && { claimId }) }),
    });
  } catch (error) {
    if (!(error instanceof WindlassError)) throw error;
    logger.warn('a reservation that is not needed could not be given back yet', { drive, volume: id, error });
  }
}

function buildVolume(
  { clock }: ControllerContext,
  { id, name, criteria, source }: WantedVolume,
  drive: Drive,
  bytes: number,
): DirectPVVolume {
  const fsuuid = drive.metadata.name;
  return {
    apiVersion: 'directpv.min.io/v1beta1',
    kind: 'DirectPVVolume',
    metadata: {
      name: id,
      labels: {
        [LABELS.drive]: fsuuid,
        [LABELS.node]: nodeOfDrive(drive),
        [LABELS.driveName]: drive.metadata?.labels?.[LABELS.driveName] ?? '',
        [LABELS.version]: VERSION,
        [LABELS.createdBy]: CREATED_BY.volume,
        ...(criteria.claimId !== undefined && { [LABELS.claimId]: criteria.claimId }),
      },
      annotations: {
        [ANNOTATIONS.createdAt]: formatMicroTime(clock.now()),
        ...(source !== undefined && { [ANNOTATIONS.contentSource]: contentSourceText(source) }),
        ...(id === name ? {} : { [ANNOTATIONS.requestedName]: name }),
      },
      finalizers: [FINALIZERS.pvProtection, FINALIZERS.purgeProtection],
    },
    status: {
      dataPath: '',
      stagingTargetPath: '',
      targetPath: '',
      fsuuid,
      totalCapacity: bytes,
      availableCapacity: bytes,
      usedCapacity: 0,
      status: 'Pending',
    },
  };
}
