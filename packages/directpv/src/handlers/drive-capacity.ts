import type { Cached } from '@windlass/apimachinery';
import { withDeadline } from '@windlass/base';
import { freeCapacity, isCounted, totalAfter, usableCapacity } from '../accounting/index.ts';
import type { NodeContext } from '../node-service/node-context.ts';
import { messageOf } from '../node-service/requests.ts';
import { isIoError, isNoEntry } from '../os/errors.ts';
import type { BlockDevice, OperatingSystem, Project } from '../os/index.ts';
import {
  contentSource,
  DELETED_SUFFIX,
  type DirectPVDrive,
  holdsVolume,
  readReservations,
} from '../resources/index.ts';

type Drive = Cached<DirectPVDrive>;

/** A device that is larger than its file system by this much has been grown; less may be rounding. */
const GROWN_BYTES = 16 * 1024 * 1024;
/** How long the volumes of a drive may be looked at. Where the kernel keeps no books they are walked. */
const MEASURE_MS = 20_000;

export interface CapacityLook {
  readonly drive: Drive;
  readonly device: BlockDevice;
  /** Whether to measure, also where nothing seems to have changed. */
  readonly isDue: boolean;
  readonly signal: AbortSignal;
}

export interface Capacity {
  /**
   * How many bytes volumes may have, those that they have included: what the mounted file system really offers. Less
   * than the drive says where it says too much, more where it is worth it. Undefined where nothing was measured.
   */
  readonly usableBytes?: number;
  /** Whether the next look must measure, whatever it finds: this one failed, or the file system has just grown. */
  readonly isDueAgain: boolean;
}

/**
 * Grows the file system to the size of its device, and measures the drive where that is due.
 * @throws EIO
 */
export async function measureCapacity(context: NodeContext, look: CapacityLook): Promise<Capacity> {
  try {
    return await measureNow(context, look);
  } catch (error) {
    if (look.signal.aborted || isIoError(error)) throw error;
    // A drive that cannot be measured can be used; it is tried at the next look.
    const { fsuuid } = look.drive.status;
    context.logger.warn('a drive could not be measured', { drive: fsuuid, why: messageOf(error) });
    return { isDueAgain: true };
  }
}

async function measureNow(context: NodeContext, look: CapacityLook): Promise<Capacity> {
  const { os, layout } = context;
  const { drive, device, isDue, signal } = look;
  if (!isCounted(drive)) return { isDueAgain: true };
  const mountPath = layout.mountPath(drive.status.fsuuid);
  const fileSystemBytes = device.contents?.totalBytes ?? device.size;
  const isGrown = device.size - fileSystemBytes >= GROWN_BYTES;
  const { freeBytes: before } = await os.statFileSystem(mountPath);
  const hasGrown = isGrown && (await grow(context, drive, signal));
  // What is promised to new volumes must be there: somebody may have filled the drive, or written another total.
  if (!isDue && !hasGrown && before >= freeCapacity(drive)) return { isDueAgain: false };
  const grownBy = hasGrown ? Math.max(0, (await os.statFileSystem(mountPath)).freeBytes - before) : 0;
  const current = usableCapacity(drive);
  const measured = await measure(context, drive, signal);
  const usableBytes = measured.isExact
    ? totalAfter(current, measured.bytes)
    : Math.min(measured.bytes, current + grownBy);
  // XFS does not show all that it has gained at once, and nothing but this look tells that there was a growth.
  return { usableBytes, isDueAgain: hasGrown };
}

async function grow(
  { os, layout, logger }: NodeContext,
  { status }: Drive,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await os.grow(layout.mountPath(status.fsuuid), { signal });
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    logger.warn('a drive could not be grown to the size of its device', { drive: status.fsuuid, error });
    return false;
  }
}

interface Measured {
  readonly bytes: number;
  /** Else it is the most that it can be. */
  readonly isExact: boolean;
}

/**
 * What is free, and what volumes take of what they were promised; what one takes beyond that is nobody's to promise.
 * What is free is asked before and after: whoever writes or deletes meanwhile makes the sum smaller, never larger.
 */
async function measure(context: NodeContext, drive: Drive, signal: AbortSignal): Promise<Measured> {
  const { os, layout } = context;
  const mountPath = layout.mountPath(drive.status.fsuuid);
  const { freeBytes: before } = await os.statFileSystem(mountPath);
  const taken = await takenByVolumes(context, drive, signal);
  const { freeBytes: after } = await os.statFileSystem(mountPath);
  const free = Math.min(before, after);
  return taken === undefined
    ? { bytes: free + drive.status.allocatedCapacity, isExact: false }
    : { bytes: free + taken, isExact: true };
}

/** Undefined where that cannot be told: walking them takes too long, or what they share would be counted twice. */
async function takenByVolumes(
  context: NodeContext,
  drive: Drive,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { os, layout, clock, logger } = context;
  const { fsuuid } = drive.status;
  const mountPath = layout.mountPath(fsuuid);
  if (sharesBlocks(context, fsuuid)) return undefined;
  const { enforced } = await os.quotaSupport(mountPath);
  const sizeOf = promises(context, drive);
  const names = (await os.list(mountPath)).filter((name) => sizeOf(name) > 0);
  if (names.length === 0) return 0;
  const projects = enforced ? await os.projects(mountPath, { signal }) : new Map<string, number>();
  using deadline = withDeadline(clock, MEASURE_MS, `measuring drive ${fsuuid}`, signal);
  let taken = 0;
  try {
    for (const name of names) {
      const projectId = projects.get(name) ?? 0;
      // The books have nothing of it. What it takes counts for nobody, until it is staged and gets its project.
      if (enforced && projectId === 0) continue;
      const project = { mountPath, path: `${mountPath}/${name}`, projectId };
      taken += Math.min(await usedBytesOf(os, project, deadline.signal), sizeOf(name));
    }
  } catch (error) {
    if (signal.aborted || !deadline.signal.aborted) throw error;
    logger.debug('the volumes of a drive take too long to measure', { drive: fsuuid });
    return undefined;
  }
  return taken;
}

/** Whether a directory of the drive was made by sharing the blocks of another one. */
function sharesBlocks({ local }: NodeContext, fsuuid: string): boolean {
  return (
    local.snapshots().some(({ status }) => status.fsuuid === fsuuid) ||
    local.volumes().some((volume) => volume.status.fsuuid === fsuuid && contentSource(volume) !== undefined)
  );
}

/** Nothing, of a directory that is removed meanwhile. */
async function usedBytesOf(os: OperatingSystem, project: Project, signal: AbortSignal): Promise<number> {
  try {
    return (await os.usage(project, { signal })).usedBytes;
  } catch (error) {
    if (isNoEntry(error)) return 0;
    throw error;
  }
}

/** What a directory of the drive was promised: a volume's size, also while it is being removed, and 0 for others. */
function promises({ local }: NodeContext, drive: Drive): (directory: string) => number {
  const reservations = readReservations(drive);
  const sizes = new Map(local.volumes().map(({ metadata, status }) => [metadata.name, status.totalCapacity]));
  return (directory) => {
    const name = directory.endsWith(DELETED_SUFFIX) ? directory.slice(0, -DELETED_SUFFIX.length) : directory;
    if (!holdsVolume(drive, name)) return 0;
    return reservations.get(name)?.bytes ?? sizes.get(name) ?? 0;
  };
}
