import type { DeepReadonly } from '@windlass/apimachinery';
import type { NodeContext } from '../node-service/node-context.ts';
import type { BlockDevice } from '../os/index.ts';
import { ANNOTATIONS, type DirectPVDrive, USABLE_BYTES } from '../resources/index.ts';

/** A device that is larger than its file system by this much has been grown; less may be rounding. */
const GROWN_BYTES = 16 * 1024 * 1024;
/** What a file system keeps for itself changes with use: smaller differences than this part of it are nothing. */
const SLACK = 0.01;

/** Whether the drive's numbers are of the bytes that volumes may have. One of DirectPV's is adopted first. */
export function isCounted({ metadata }: DeepReadonly<DirectPVDrive>): boolean {
  return metadata?.annotations?.[ANNOTATIONS.accounting] === USABLE_BYTES;
}

export interface CapacityLook {
  readonly drive: DeepReadonly<DirectPVDrive>;
  readonly device: BlockDevice;
  /** Whether to measure, also where the device has not grown. */
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
}

/** How many bytes volumes may have, where that is more than the drive says; undefined where it is not. */
export async function changedCapacity(context: NodeContext, look: CapacityLook): Promise<number | undefined> {
  const { drive, device, isFirst, signal } = look;
  const { totalCapacity, fsuuid } = drive.status;
  if (!isCounted(drive)) return undefined;
  const fileSystemBytes = device.contents?.totalBytes ?? device.size;
  if (device.size - fileSystemBytes >= GROWN_BYTES) return grow(context, drive, signal);
  if (!isFirst) return undefined;
  const measured = await measure(context, fsuuid, signal);
  const least = totalCapacity + Math.max(GROWN_BYTES, totalCapacity * SLACK);
  return measured !== undefined && measured > least ? measured : undefined;
}

async function grow(
  { os, layout, logger }: NodeContext,
  { status }: DeepReadonly<DirectPVDrive>,
  signal: AbortSignal,
): Promise<number | undefined> {
  const mountPath = layout.mountPath(status.fsuuid);
  const before = await os.statFileSystem(mountPath);
  try {
    await os.grow(mountPath, { signal });
  } catch (error) {
    logger.warn('a drive could not be grown to the size of its device', { drive: status.fsuuid, error });
    return undefined;
  }
  const after = await os.statFileSystem(mountPath);
  const added = after.freeBytes - before.freeBytes;
  return added > 0 ? status.totalCapacity + added : undefined;
}

/**
 * What is free, and what volumes take. Drives that DirectPV wrote may say less: its expansions lose bytes. Undefined
 * where the kernel keeps no books, because walking every volume at each start is too much for that.
 */
async function measure(
  { os, layout }: NodeContext,
  fsuuid: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const mountPath = layout.mountPath(fsuuid);
  if (!(await os.quotaSupport(mountPath)).enforced) return undefined;
  let { freeBytes: bytes } = await os.statFileSystem(mountPath);
  for (const [name, projectId] of await os.projects(mountPath, { signal }))
    bytes += (await os.usage({ mountPath, path: `${mountPath}/${name}`, projectId }, { signal })).usedBytes;
  return bytes;
}
