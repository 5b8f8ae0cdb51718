import type { DeepReadonly } from '@windlass/apimachinery';
import { REPAIR_ANNOTATION, repairRequestOf } from '../admin/repair.ts';
import { changeDrive, type NodeContext } from '../node-service/node-context.ts';
import { messageOf } from '../node-service/requests.ts';
import { type DirectPVDrive, EVENT_REASONS, withProblem } from '../resources/index.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { unmountDrive } from './drive-mount.ts';

type Drive = DeepReadonly<DirectPVDrive>;

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
  const { os, clock, logger, recorder } = context;
  const { fsuuid } = drive.status;
  const { checkOnly, ...how } = repairRequestOf(drive);
  let problem: string | undefined;
  try {
    const [device, ...others] = await inventory.withFileSystem(fsuuid);
    if (device === undefined || others.length > 0)
      throw new Error(
        device === undefined ? 'its device is not there' : 'several devices carry its file system',
      );
    await unmountDrive(context, drive, signal);
    const said = await os.repair(device, { ...how, dryRun: checkOnly, signal });
    logger.info('a drive was repaired', { drive: fsuuid, checkOnly, said: said.slice(-2000) });
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
      const told = problem === undefined ? newest : withProblem(newest, 'MountError', problem, clock);
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
