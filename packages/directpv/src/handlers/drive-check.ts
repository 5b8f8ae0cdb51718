import type { Cached } from '@windlass/apimachinery';
import { withUsableCapacity } from '../accounting/index.ts';
import { changeDrive, type NodeContext } from '../node-service/node-context.ts';
import { messageOf } from '../node-service/requests.ts';
import { isIoError } from '../os/errors.ts';
import { type BlockDevice, OperatingSystemError, type QuotaSupport } from '../os/index.ts';
import { mountAt } from '../os/mount-entry.ts';
import {
  type DirectPVDrive,
  DRIVE_CONDITION_TYPES,
  DRIVE_CONDITIONS,
  type DriveConditionType,
  EVENT_REASONS,
  LABELS,
  toLabelValue,
  withoutProblem,
  withProblem,
  withRecordedDevice,
} from '../resources/index.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { deviceRecord } from './device-record.ts';
import { type Capacity, measureCapacity } from './drive-capacity.ts';
import { tellLimitations, withLimitations } from './drive-limitations.ts';
import { verifyMetadata } from './drive-metadata.ts';
import { mountDrive, restage } from './drive-mount.ts';
import { findLost } from './lost-drive.ts';

type Drive = Cached<DirectPVDrive>;

/** What a look at a drive's device has found. */
export type Finding =
  | {
      readonly state: 'ready';
      readonly device: BlockDevice;
      readonly capacity: Capacity;
      readonly quota: QuotaSupport;
      /** What else the machine does not do for it. */
      readonly limitations: readonly string[];
    }
  | { readonly state: 'lost'; readonly message: string }
  | { readonly state: 'error'; readonly type: DriveConditionType; readonly message: string };

interface Look {
  readonly drive: Drive;
  /** Whether it is still to be verified that it is the drive that it is taken for. */
  readonly isFirst: boolean;
  /** Whether it is to be measured, also where nothing seems to have changed. */
  readonly isMeasured: boolean;
  readonly signal: AbortSignal;
}

/** Looks for the drive's device, mounts it, and reads from it. What is wrong is found, not thrown. */
export async function inspectDrive(
  context: NodeContext,
  inventory: DeviceInventory,
  { drive, isFirst, isMeasured, signal }: Look,
): Promise<Finding> {
  const { fsuuid } = drive.status;
  let matches = await inventory.withFileSystem(fsuuid);
  if (matches.length === 0) {
    // What was seen may be from before the drive was formatted; that alone must not make it Lost.
    inventory.forget();
    matches = await inventory.withFileSystem(fsuuid);
  }
  const [device] = matches;
  if (device === undefined) return findLost(context, await inventory.devices(), drive);
  if (matches.length > 1)
    return {
      state: 'error',
      type: 'MultipleMatches',
      message: `Drive has multiple matches: ${matches.map(({ name }) => name).join(', ')}; remove all but one`,
    };
  let isNew = false;
  try {
    requireWhole(device);
    ({ isNew } = await mountDrive(context, fsuuid, device, signal));
    if (isNew) inventory.forget();
  } catch (error) {
    if (signal.aborted) throw error;
    return { state: 'error', type: 'MountError', message: `Drive has mount error: ${messageOf(error)}` };
  }
  return readDevice(context, device, { drive, isFirst, isMeasured, isNew, signal });
}

/** XFS refuses a device that ends before it does, and only says that its superblock is bad. */
function requireWhole({ name, size, contents }: BlockDevice): void {
  const bytes = contents?.totalBytes ?? 0;
  if (bytes > size)
    throw new OperatingSystemError(
      'EINVAL',
      `device ${name} has ${size} bytes, but its file system has ${bytes}: make the device as large as it was`,
    );
}

async function readDevice(
  context: NodeContext,
  device: BlockDevice,
  { drive, isFirst, isMeasured, isNew, signal }: Look & { readonly isNew: boolean },
): Promise<Finding> {
  const { os, layout } = context;
  const { fsuuid } = drive.status;
  const mountPath = layout.mountPath(fsuuid);
  try {
    // A file system that has shut down still answers from its cache; reading the directory asks it.
    await os.list(mountPath);
    if (isNew || isFirst) await verifyMetadata(context, fsuuid);
    if ((await os.entryType(layout.sentinel(fsuuid))) === undefined)
      await os.link('.', layout.sentinel(fsuuid));
    await restage(context, drive, signal);
    const capacity = await measureCapacity(context, { drive, device, isDue: isMeasured, signal });
    const quota = await os.quotaSupport(mountPath);
    const limitations = await os.limitations(mountPath);
    return { state: 'ready', device, capacity, quota, limitations };
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
    case 'lost': {
      const known = withProblem(drive, 'Lost', finding.message, clock);
      return status === 'Lost' || status === 'Moving'
        ? known
        : { ...known, status: { ...known.status, status: 'Lost' } };
    }
    case 'error': {
      const known = withoutProblem(withProblem(drive, finding.type, finding.message, clock), 'Lost');
      return status === 'Error' || status === 'Moving'
        ? known
        : { ...known, status: { ...known.status, status: 'Error' } };
    }
    case 'ready':
      return withLimitations(withDevice(drive, finding), finding, clock);
    default:
      return finding satisfies never;
  }
}

function withDevice(drive: Drive, finding: Extract<Finding, { state: 'ready' }>): Drive {
  const { device, capacity } = finding;
  let found = withoutProblem(drive, ...DRIVE_CONDITION_TYPES);
  const name = toLabelValue(device.name);
  if (found.metadata?.labels?.[LABELS.driveName] !== name) {
    const labels = { ...found.metadata?.labels, [LABELS.driveName]: name };
    found = { ...found, metadata: { ...found.metadata, labels } };
  }
  found = withRecordedDevice(found, deviceRecord(device));
  if (found.status.make !== device.make) found = { ...found, status: { ...found.status, make: device.make } };
  const { status } = found.status;
  if (status === 'Lost' || status === 'Error')
    found = { ...found, status: { ...found.status, status: 'Ready' } };
  if (found.spec?.relabel === true) {
    const { relabel: _done, ...spec } = found.spec;
    found = { ...found, spec };
  }
  const { usableBytes } = capacity;
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
  let before = drive;
  const after = await changeDrive(
    context,
    drive.status.fsuuid,
    (newest) => {
      before = newest;
      return withFinding(newest, finding, context);
    },
    signal,
  );
  if (after === undefined || after.metadata.resourceVersion === drive.metadata.resourceVersion) return after;
  if (finding.state === 'lost') recorder.warning(after, EVENT_REASONS.deviceNotFoundError, finding.message);
  else if (finding.state === 'error')
    recorder.warning(after, DRIVE_CONDITIONS[finding.type], finding.message);
  else if (drive.status.status !== 'Ready' && after.status.status === 'Ready')
    recorder.normal(after, EVENT_REASONS.driveMounted, `Drive is mounted from ${finding.device.path}`);
  tellLimitations(recorder, before, after);
  return after;
}
