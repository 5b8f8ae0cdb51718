import { createHash } from 'node:crypto';
import { type DeepReadonly, isAlreadyExists } from '@windlass/apimachinery';
import type { NodeContext } from '../node-service/node-context.ts';
import { type BlockDevice, deniedReasons, isFreeToFormat, OperatingSystemError } from '../os/index.ts';
import {
  ACCESS_TIERS,
  ANNOTATIONS,
  APP_NAME,
  CREATED_BY,
  type DirectPVDrive,
  FINALIZERS,
  LABELS,
  nodeLabelValue,
  toLabelValue,
  USABLE_BYTES,
  VERSION,
  XFS_LABEL,
} from '../resources/index.ts';

export interface InitOrder {
  readonly device: BlockDevice;
  /** Also over a file system that is there. */
  readonly force: boolean;
  /** The file system's new UUID. The same for the same order, so that one that was broken off goes on where it was. */
  readonly fsuuid: string;
  readonly isOurs: (fsuuid: string) => boolean;
  readonly signal: AbortSignal;
}

/** Formats a device, mounts it, and records it as a drive. @throws OperatingSystemError that says why not */
export async function initDevice(context: NodeContext, order: InitOrder): Promise<void> {
  const { os, layout } = context;
  const { device, fsuuid, isOurs, signal } = order;
  const isBegun = device.contents?.fsuuid === fsuuid;
  if (!isBegun) await formatDevice(context, order);
  else if (isOurs(fsuuid)) return;
  const formatted = (await os.devices({ signal })).find(({ contents }) => contents?.fsuuid === fsuuid);
  if (formatted === undefined)
    throw new OperatingSystemError('ENODEV', `${device.path} was formatted, but does not show it`);
  const mountPath = layout.mountPath(fsuuid);
  await os.mount(formatted, mountPath, { signal });
  try {
    await os.link('.', layout.sentinel(fsuuid));
    await os.makeDirectory(`${mountPath}/.${APP_NAME}`, { mode: 0o750 });
    const facts = `APP_NAME=${APP_NAME}\nAPP_VERSION=${VERSION}\nFSUUID=${fsuuid}\n`;
    await os.writeFile(`${mountPath}/.${APP_NAME}/meta.info`, facts, { mode: 0o640 });
    const { freeBytes } = await os.statFileSystem(mountPath);
    await context.drives.create(driveOf(context, formatted, fsuuid, freeBytes), { signal });
  } catch (error) {
    // A lost answer to a create that went through.
    if (isAlreadyExists(error)) return;
    await os.unmount(mountPath).catch(() => {});
    throw error;
  }
}

async function formatDevice(
  { os }: NodeContext,
  { device, force, fsuuid, isOurs, signal }: InitOrder,
): Promise<void> {
  const reasons = deniedReasons(device, isOurs);
  if (reasons.length > 0)
    throw new OperatingSystemError('EPERM', `device init not permitted; ${reasons.join('; ')}`);
  const isFree = isFreeToFormat(device);
  if (!isFree && !force)
    throw new OperatingSystemError(
      'EEXIST',
      `device init not permitted; it holds ${device.contents?.fsType ?? ''}, which only force overwrites`,
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
  return {
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
      annotations: { [ANNOTATIONS.accounting]: USABLE_BYTES },
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
}

/** A UUID of version 8, made from a text. */
export function uuidOf(seed: string): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The drives of this node, by file system. */
export function ownDrives(drives: readonly DeepReadonly<DirectPVDrive>[]): (fsuuid: string) => boolean {
  const known = new Set(drives.map(({ status }) => status.fsuuid));
  return (fsuuid) => known.has(fsuuid);
}
