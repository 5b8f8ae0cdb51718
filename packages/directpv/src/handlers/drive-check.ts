import type { DeepReadonly } from '@windlass/apimachinery';
import { withUsableCapacity } from '../accounting/index.ts';
import { changeDrive, type NodeContext } from '../node-service/node-context.ts';
import { messageOf } from '../node-service/requests.ts';
import { isIoError } from '../os/errors.ts';
import type { BlockDevice } from '../os/index.ts';
import { mountAt } from '../os/mount-entry.ts';
import {
  type DirectPVDrive,
  DRIVE_CONDITIONS,
  type DriveConditionType,
  EVENT_REASONS,
  LABELS,
  toLabelValue,
  withoutProblem,
  withProblem,
} from '../resources/index.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { changedCapacity } from './drive-capacity.ts';
import { mountDrive, restage } from './drive-mount.ts';

type Drive = DeepReadonly<DirectPVDrive>;

/** What a look at a drive's device has found. */
export type Finding =
  | { readonly state: 'ready'; readonly device: BlockDevice; readonly usableBytes?: number }
  | { readonly state: 'lost' }
  | { readonly state: 'error'; readonly type: DriveConditionType; readonly message: string };

interface Look {
  readonly drive: Drive;
  /** Whether this process looks at it for the first time: then it is measured. */
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
}

/** Looks for the drive's device, mounts it, and reads from it. What is wrong is found, not thrown. */
export async function inspectDrive(
  context: NodeContext,
  inventory: DeviceInventory,
  { drive, isFirst, signal }: Look,
): Promise<Finding> {
  const { fsuuid } = drive.status;
  let matches = await inventory.withFileSystem(fsuuid);
  if (matches.length === 0) {
    // What was seen may be from before the drive was formatted; that alone must not make it Lost.
    inventory.forget();
    matches = await inventory.withFileSystem(fsuuid);
  }
  const [device] = matches;
  if (device === undefined) return findUnreadable(context, inventory, fsuuid);
  if (matches.length > 1)
    return {
      state: 'error',
      type: 'MultipleMatches',
      message: `Drive has multiple matches: ${matches.map(({ name }) => name).join(', ')}; remove all but one`,
    };
  try {
    const { isNew } = await mountDrive(context, fsuuid, device, signal);
    if (isNew) inventory.forget();
  } catch (error) {
    if (signal.aborted) throw error;
    return { state: 'error', type: 'MountError', message: `Drive has mount error: ${messageOf(error)}` };
  }
  return readDevice(context, device, { drive, isFirst, signal });
}

/** The device is there by its mount, but nothing can be read from it: that is no loss, but an error. */
async function findUnreadable(
  { os, layout }: NodeContext,
  inventory: DeviceInventory,
  fsuuid: string,
): Promise<Finding> {
  const mount = mountAt(await os.mounts(), await os.realPath(layout.mountPath(fsuuid)));
  const device = (await inventory.devices()).find(({ majorMinor }) => majorMinor === mount?.majorMinor);
  if (device?.problem === undefined) return { state: 'lost' };
  return { state: 'error', type: 'IOError', message: `Drive has I/O error: ${device.problem}` };
}

async function readDevice(
  context: NodeContext,
  device: BlockDevice,
  { drive, isFirst, signal }: Look,
): Promise<Finding> {
  const { os, layout } = context;
  const { fsuuid } = drive.status;
  const mountPath = layout.mountPath(fsuuid);
  try {
    // A file system that has shut down still answers from its cache; reading the directory asks it.
    await os.list(mountPath);
    if ((await os.entryType(layout.sentinel(fsuuid))) === undefined)
      await os.link('.', layout.sentinel(fsuuid));
    await restage(context, drive, signal);
    const usableBytes = await changedCapacity(context, { drive, device, isFirst, signal });
    return { state: 'ready', device, ...(usableBytes !== undefined && { usableBytes }) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (isIoError(error)) return recoverFromIoError(context, drive, signal);
    return { state: 'error', type: 'RelabelError', message: `Drive has relabel error: ${messageOf(error)}` };
  }
}

/** A shut-down file system works again once all its mounts have gone: so it is mounted anew where nobody has it. */
async function recoverFromIoError(
  { os, layout }: NodeContext,
  drive: Drive,
  signal: AbortSignal,
): Promise<Finding> {
  const { fsuuid } = drive.status;
  const path = await os.realPath(layout.mountPath(fsuuid));
  const mounts = await os.mounts();
  const own = mountAt(mounts, path);
  const users = mounts.filter((mount) => mount.majorMinor === own?.majorMinor && mount.mountPoint !== path);
  // The next check mounts it.
  if (users.length === 0) await os.unmount(path, { signal, lazy: true }).catch(() => {});
  return { state: 'error', type: 'IOError', message: 'Drive has I/O error' };
}

/** The drive with what was found; the very drive when that is known. */
export function withFinding(drive: Drive, finding: Finding, { clock }: Pick<NodeContext, 'clock'>): Drive {
  const { status } = drive.status;
  // Somebody has asked for something since: the finding is not about that.
  if (status === 'Removed' || status === 'Repairing') return drive;
  switch (finding.state) {
    case 'lost':
      return status === 'Lost' || status === 'Moving'
        ? drive
        : { ...drive, status: { ...drive.status, status: 'Lost' } };
    case 'error': {
      const known = withProblem(drive, finding.type, finding.message, clock);
      return status === 'Error' || status === 'Moving'
        ? known
        : { ...known, status: { ...known.status, status: 'Error' } };
    }
    case 'ready':
      return withDevice(drive, finding);
    default:
      return finding satisfies never;
  }
}

function withDevice(drive: Drive, finding: Extract<Finding, { state: 'ready' }>): Drive {
  const { device, usableBytes } = finding;
  let found = withoutProblem(drive, ...(Object.keys(DRIVE_CONDITIONS) as DriveConditionType[]));
  const name = toLabelValue(device.name);
  if (found.metadata?.labels?.[LABELS.driveName] !== name) {
    const labels = { ...found.metadata?.labels, [LABELS.driveName]: name };
    found = { ...found, metadata: { ...found.metadata, labels } };
  }
  if (found.status.make !== device.make) found = { ...found, status: { ...found.status, make: device.make } };
  const { status } = found.status;
  if (status === 'Lost' || status === 'Error')
    found = { ...found, status: { ...found.status, status: 'Ready' } };
  if (found.spec?.relabel === true) {
    const { relabel: _done, ...spec } = found.spec;
    found = { ...found, spec };
  }
  return usableBytes === undefined ? found : withUsableCapacity(found, usableBytes);
}

/** Writes what was found, and tells people of what has changed: once, not at each look. */
export async function recordFinding(
  context: NodeContext,
  drive: Drive,
  finding: Finding,
  signal: AbortSignal,
): Promise<Drive | undefined> {
  const { recorder } = context;
  const after = await changeDrive(
    context,
    drive.status.fsuuid,
    (newest) => withFinding(newest, finding, context),
    signal,
  );
  if (after === undefined || after.metadata?.resourceVersion === drive.metadata?.resourceVersion)
    return after;
  if (finding.state === 'lost')
    recorder.warning(after, EVENT_REASONS.deviceNotFoundError, 'Device not found');
  else if (finding.state === 'error')
    recorder.warning(after, DRIVE_CONDITIONS[finding.type], finding.message);
  else if (drive.status.status !== 'Ready' && after.status.status === 'Ready')
    recorder.normal(after, EVENT_REASONS.driveMounted, `Drive is mounted from ${finding.device.path}`);
  return after;
}
