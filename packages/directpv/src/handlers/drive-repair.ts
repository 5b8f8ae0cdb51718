import type { Cached } from '@windlass/apimachinery';
import { REPAIR_ANNOTATION, repairRequestOf } from '../admin/repair.ts';
import { changeDrive, type NodeContext } from '../node-service/node-context.ts';
import { messageOf } from '../node-service/requests.ts';
import { type BlockDevice, OperatingSystemError, type RepairOptions } from '../os/index.ts';
import { type DirectPVDrive, EVENT_REASONS, withoutProblem, withProblem } from '../resources/index.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { mountDrive, unmountDrive } from './drive-mount.ts';
import { claimsOf } from './lost-drive.ts';

type Drive = Cached<DirectPVDrive>;

/**
 * Mends a drive's file system, which must be unmounted for it. Afterwards the drive is Lost, and the check that
 * follows finds it: so it becomes Ready in one way only. Where the repair fails it is Error, and says why.
 */
export async function repairDrive(
  context: NodeContext,
  inventory: DeviceInventory,
  drive: Drive,
  signal: AbortSignal,
): Promise<{ readonly hasFailed: boolean }> {
  const { clock, logger, recorder } = context;
  const { fsuuid } = drive.status;
  const { checkOnly, ...how } = repairRequestOf(drive);
  let problem: string | undefined;
  try {
    const device = await deviceToRepair(inventory, drive);
    await unmountDrive(context, drive, signal);
    const options = { ...how, dryRun: checkOnly, signal };
    const said = await mend(context, inventory, { fsuuid, device, options, signal });
    logger.info('a drive was repaired', { drive: fsuuid, checkOnly, said: said.slice(-2000) });
    if (!checkOnly) await requireFound(inventory, fsuuid, device);
  } catch (error) {
    if (signal.aborted) throw error;
    problem = `Repair failed: ${messageOf(error)}`;
  }
  inventory.forget();
  const after = await changeDrive(
    context,
    fsuuid,
    (newest): Drive => {
      if (newest.status.status !== 'Repairing') return newest;
      const { [REPAIR_ANNOTATION]: _done, ...annotations } = { ...newest.metadata?.annotations };
      const told =
        problem === undefined
          ? withProblem(newest, 'Lost', 'The drive was repaired, and is being mounted', clock)
          : withoutProblem(withProblem(newest, 'MountError', problem, clock), 'Lost');
      return {
        ...told,
        metadata: { ...told.metadata, annotations },
        status: { ...told.status, status: problem === undefined ? 'Lost' : 'Error' },
      };
    },
    signal,
  );
  if (after !== undefined && problem !== undefined)
    recorder.warning(after, EVENT_REASONS.driveHasMountError, problem);
  return { hasFailed: problem !== undefined };
}

/** The device with the drive's file system, or the one that has lost the beginning of it. */
async function deviceToRepair(inventory: DeviceInventory, drive: Drive): Promise<BlockDevice> {
  inventory.forget();
  const sound = await inventory.withFileSystem(drive.status.fsuuid);
  if (sound.length > 1) throw new Error('several devices carry its file system');
  const [device] = sound;
  if (device !== undefined) return device;
  const [claim, second] = claimsOf(drive, await inventory.devices());
  if (claim === undefined) throw new Error('its device is not there');
  if (second?.state === claim.state)
    throw new Error(
      `it may be on ${claim.device.name} or on ${second.device.name}; take away the one that it is not on`,
    );
  const { state, device: damaged } = claim;
  if (state === 'overwritten')
    throw new Error(
      `${damaged.contents?.fsType ?? 'something else'} was written over the beginning of ${damaged.name}; remove that with wipefs first`,
    );
  if (state === 'relabelled')
    throw new Error(
      `the file system on ${damaged.name} has another UUID; run "xfs_admin -U ${drive.status.fsuuid} ${damaged.path}" on the node`,
    );
  if (damaged.mountPoints.length === 0 && (damaged.busy === true || damaged.holders.length > 0))
    throw new Error(`something else uses ${damaged.name}`);
  return damaged;
}

interface Work {
  readonly fsuuid: string;
  readonly device: BlockDevice;
  readonly options: RepairOptions;
  readonly signal: AbortSignal;
}

/**
 * A file system that was not unmounted has a journal, which only a mount replays, and which nothing can mount while
 * the first superblock is gone. The tool makes that again before it stops at the journal: so then the file system is
 * mounted once, and the tool runs again. Nothing of the journal is lost.
 */
async function mend(context: NodeContext, inventory: DeviceInventory, work: Work): Promise<string> {
  const { os, layout, logger } = context;
  const { fsuuid, device, options, signal } = work;
  const wasSound = device.contents?.fsuuid === fsuuid;
  try {
    return await os.repair(device, options);
  } catch (error) {
    if (signal.aborted || wasSound || options.dryRun === true) throw error;
    inventory.forget();
    const [restored] = await inventory.withFileSystem(fsuuid);
    if (restored === undefined) throw error;
    logger.info('the journal of a drive is replayed before it is repaired', { drive: fsuuid });
    await mountDrive(context, fsuuid, restored, signal);
    await os.unmount(await os.realPath(layout.mountPath(fsuuid)), { signal });
    return os.repair(restored, options);
  }
}

/** What came out of it must be this drive, and no other that the device once held. */
async function requireFound(inventory: DeviceInventory, fsuuid: string, device: BlockDevice): Promise<void> {
  inventory.forget();
  if ((await inventory.withFileSystem(fsuuid)).length > 0) return;
  const now = (await inventory.devices()).find(({ name }) => name === device.name)?.contents;
  const found = now === undefined ? 'shows no file system' : `holds ${now.fsType} ${now.fsuuid}`;
  throw new OperatingSystemError('ESTALE', `${device.name} ${found} after the repair, and not this drive`);
}
