import type { Cached } from '@windlass/apimachinery';
import { release } from '../accounting/index.ts';
import {
  changeDrive,
  changeVolume,
  type NodeContext,
  readDrive,
  readVolume,
} from '../node-service/node-context.ts';
import { messageOf } from '../node-service/requests.ts';
import { prepareDirectory, showAt } from '../node-service/stage.ts';
import { unmountAll } from '../node-service/unmount-all.ts';
import { isIoError, isNoEntry } from '../os/errors.ts';
import {
  DELETED_SUFFIX,
  type DirectPVDrive,
  type DirectPVVolume,
  EVENT_REASONS,
  isPublished,
  isStaged,
  LABELS,
  volumesOfDrive,
} from '../resources/index.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { clearQuota } from './purge/clear-quota.ts';

type Drive = Cached<DirectPVDrive>;
type Volume = Cached<DirectPVVolume>;

/**
 * Brings to a drive what it was promised: each volume that it holds and that still names another drive is copied,
 * then pointed here, then taken off the other. A crash at any point leaves a volume whole on one of the two, and the
 * next try goes on. When nothing is left to bring, the drive is Ready.
 */
export async function moveToDrive(
  context: NodeContext,
  inventory: DeviceInventory,
  drive: Drive,
  signal: AbortSignal,
): Promise<{ readonly isDone: boolean }> {
  const { fsuuid } = drive.status;
  let isDone = true;
  for (const name of volumesOfDrive(drive)) {
    const moved = await context.locks.run(name, signal, async () => {
      const volume = await readVolume(context, name, signal);
      if (volume === undefined) return true;
      if (volume.status.fsuuid === fsuuid) return true;
      if (isPublished(volume)) {
        context.recorder.warning(volume, EVENT_REASONS.volumeMoved, 'Volume is not moved while a pod has it');
        return false;
      }
      await moveVolume(context, inventory, { volume, drive, signal });
      return true;
    });
    isDone &&= moved;
  }
  await releaseMoved(context, drive, signal);
  if (!isDone) return { isDone };
  await changeDrive(
    context,
    fsuuid,
    (newest): Drive =>
      newest.status.status === 'Moving'
        ? { ...newest, status: { ...newest.status, status: 'Ready' } }
        : newest,
    signal,
  );
  return { isDone };
}

interface Step {
  readonly volume: Volume;
  /** Where it goes. */
  readonly drive: Drive;
  readonly signal: AbortSignal;
}

async function moveVolume(context: NodeContext, inventory: DeviceInventory, step: Step): Promise<void> {
  const { volume, drive, signal } = step;
  const { os, layout, recorder } = context;
  const name = volume.metadata.name;
  const staging = volume.status.stagingTargetPath;
  const [from, to] = [volume.status.fsuuid, drive.status.fsuuid];
  if (isStaged(volume)) await unmountAll(os, await os.realPath(staging), signal);
  const identity = await prepareDirectory(context, drive, name, volume.status.totalCapacity, signal);
  const hasData = await copyData(context, inventory, from, layout.dataPath(to, name), { name, signal });
  if (isStaged(volume)) await showAt(context, identity, layout.dataPath(to, name), staging, signal);
  const driveName = drive.metadata?.labels?.[LABELS.driveName] ?? '';
  const moved = await changeVolume(
    context,
    name,
    (newest): Volume => ({
      ...newest,
      metadata: {
        ...newest.metadata,
        labels: { ...newest.metadata?.labels, [LABELS.drive]: to, [LABELS.driveName]: driveName },
      },
      status: {
        ...newest.status,
        fsuuid: to,
        dataPath: isStaged(newest) ? layout.dataPath(to, name) : '',
        status: isStaged(newest) ? 'Ready' : 'Pending',
      },
    }),
    signal,
  );
  if (moved === undefined) return;
  const note = hasData
    ? `Volume is moved with its data from drive ${from} to drive ${to}`
    : `Volume is moved from drive ${from} to drive ${to} without its data, because that drive cannot be read`;
  if (hasData) recorder.normal(moved, EVENT_REASONS.volumeMoved, note);
  else recorder.warning(moved, EVENT_REASONS.volumeMoved, note);
}

/** False where the source cannot be read: a drive that is dead is replaced, and its volumes begin empty. */
async function copyData(
  context: NodeContext,
  inventory: DeviceInventory,
  from: string,
  target: string,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const { os, layout, logger } = context;
  const source = layout.dataPath(from, name);
  const sourceDrive = await readDrive(context, from, signal);
  const isDead = sourceDrive === undefined || (await inventory.withFileSystem(from)).length === 0;
  try {
    if (!isDead && (await os.entryType(layout.sentinel(from))) === undefined)
      throw new Error(`drive ${from} is there, but not mounted; it is tried again`);
    if (isDead || (await os.entryType(source)) === undefined) return !isDead;
    await os.copyTree(source, target, { signal });
    return true;
  } catch (error) {
    const canRead = !isIoError(error) && !isNoEntry(error);
    if (canRead || signal.aborted) throw error;
    logger.warn('the data of a volume could not be copied', { volume: name, from, why: messageOf(error) });
    return false;
  }
}

/** Takes what has arrived off the drives that it came from: data first, then the bytes. */
async function releaseMoved(context: NodeContext, drive: Drive, signal: AbortSignal): Promise<void> {
  const { os, layout, local, logger } = context;
  const { fsuuid } = drive.status;
  for (const source of local.drives()) {
    const from = source.status.fsuuid;
    if (from === fsuuid) continue;
    for (const name of volumesOfDrive(source).filter((volume) => volumesOfDrive(drive).includes(volume))) {
      const volume = await readVolume(context, name, signal);
      if (volume?.status.fsuuid !== fsuuid) continue;
      try {
        await clearQuota(context, from, name, signal);
        await os.rename(layout.dataPath(from, name), `${layout.mountPath(from)}/${name}${DELETED_SUFFIX}`);
        await os.removeTree(`${layout.mountPath(from)}/${name}${DELETED_SUFFIX}`, { signal });
      } catch (error) {
        if (signal.aborted) throw error;
        // A drive that cannot be read is not kept for it; what is left is swept when it can.
        if (!isNoEntry(error))
          logger.warn('what was moved stays on its old drive', { volume: name, from, error });
      }
      const claimId = volume.metadata?.labels?.[LABELS.claimId];
      const bytes = volume.status.totalCapacity;
      await changeDrive(
        context,
        from,
        (newest) => release(newest, { volume: name, bytes, ...(claimId !== undefined && { claimId }) }),
        signal,
      );
    }
  }
}
