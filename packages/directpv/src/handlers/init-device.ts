import { createHash } from 'node:crypto';
import { isAlreadyExists } from '@windlass/apimachinery';
import { type NodeContext, readDrive } from '../node-service/node-context.ts';
import {
  type BlockDevice,
  deviceId,
  formattedOver,
  isFreeToFormat,
  OperatingSystemError,
} from '../os/index.ts';
import {
  ACCESS_TIERS,
  ANNOTATIONS,
  CREATED_BY,
  type DirectPVDrive,
  FINALIZERS,
  LABELS,
  nodeLabelValue,
  toLabelValue,
  USABLE_BYTES,
  VERSION,
  withRecordedDevice,
  XFS_LABEL,
} from '../resources/index.ts';
import { deviceRecord } from './device-record.ts';
import { writeMetadata } from './drive-metadata.ts';
import { denials, groupHints, knownDrives } from './known-drives.ts';

export interface InitOrder {
  readonly device: BlockDevice;
  /** What the device was called when somebody looked at it, and gave the order. */
  readonly id: string;
  /** All of the node's. */
  readonly devices: readonly BlockDevice[];
  /** Also over a file system that is there. */
  readonly force: boolean;
  /** The file system's new UUID. The same for the same order, so that one that was broken off goes on where it was. */
  readonly fsuuid: string;
  readonly signal: AbortSignal;
}

/** Formats a device, mounts it, and records it as a drive. @throws OperatingSystemError that says why not */
export async function initDevice(context: NodeContext, order: InitOrder): Promise<void> {
  const { os, layout } = context;
  const { device, fsuuid, signal } = order;
  const isBegun = device.contents?.fsuuid === fsuuid;
  if (!isBegun) await formatDevice(context, order);
  else if ((await readDrive(context, fsuuid, signal)) !== undefined) return;
  const formatted = (await os.devices({ signal })).find(({ contents }) => contents?.fsuuid === fsuuid);
  if (formatted === undefined)
    throw new OperatingSystemError('ENODEV', `${device.path} was formatted, but does not show it`);
  const mountPath = layout.mountPath(fsuuid);
  await os.mount(formatted, mountPath, { signal });
  try {
    await os.link('.', layout.sentinel(fsuuid));
    await writeMetadata(context, fsuuid);
    const { freeBytes } = await os.statFileSystem(mountPath);
    await context.drives.create(driveOf(context, formatted, fsuuid, freeBytes), { signal });
  } catch (error) {
    // A lost answer to a create that went through.
    if (isAlreadyExists(error)) return;
    await os.unmount(mountPath).catch(() => {});
    throw error;
  }
}

/**
 * The last look before the data goes. It is a new one, of the device itself and of the records, since others may have
 * been formatted for an hour before its turn came.
 */
async function formatDevice(context: NodeContext, order: InitOrder): Promise<void> {
  const { os, nodeName } = context;
  const { id, devices, force, fsuuid, signal } = order;
  const known = await knownDrives(context, devices, { isLive: true, signal });
  const groupBytes = groupHints([...known.own, ...known.others]);
  const device = await os.examine(order.device.name, { groupBytes, signal });
  if (deviceId(device, nodeName) !== id) throw new OperatingSystemError('ESTALE', 'device state changed');
  // What the closer look has found may belong to a drive that nobody asked for yet.
  const all = [...devices.filter(({ name }) => name !== device.name), device];
  const reasons = denials(device, await knownDrives(context, all, { isLive: true, signal }), all);
  if (reasons.length > 0)
    throw new OperatingSystemError('EPERM', `device init not permitted; ${reasons.join('; ')}`);
  if (!isFreeToFormat(device) && !force)
    throw new OperatingSystemError(
      'EEXIST',
      `device init not permitted; it holds ${formattedOver(device)?.fsType ?? ''}, which only force overwrites`,
    );
  await os.format(device, {
    fsuuid,
    label: XFS_LABEL,
    force: force || device.contents !== undefined,
    signal,
  });
}

function driveOf(
  { nodeName, topology }: NodeContext,
  device: BlockDevice,
  fsuuid: string,
  usableBytes: number,
): DirectPVDrive {
  const drive: DirectPVDrive = {
    apiVersion: 'directpv.min.io/v1beta1',
    kind: 'DirectPVDrive',
    metadata: {
      name: fsuuid,
      labels: {
        [LABELS.node]: nodeLabelValue(nodeName),
        [LABELS.driveName]: toLabelValue(device.name),
        [LABELS.accessTier]: ACCESS_TIERS[0],
        [LABELS.version]: VERSION,
        [LABELS.createdBy]: CREATED_BY.drive,
      },
      annotations: {
        [ANNOTATIONS.accounting]: USABLE_BYTES,
        [ANNOTATIONS.measuredCapacity]: String(usableBytes),
      },
      finalizers: [FINALIZERS.dataProtection],
    },
    spec: {},
    status: {
      totalCapacity: usableBytes,
      allocatedCapacity: 0,
      freeCapacity: usableBytes,
      fsuuid,
      status: 'Ready',
      topology: { ...topology },
      make: device.make,
    },
  };
  return withRecordedDevice(drive, deviceRecord(device));
}

/** A UUID of version 8, made from a text. */
export function uuidOf(seed: string): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
