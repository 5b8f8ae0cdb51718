import type { Cached } from '@windlass/apimachinery';
import type { NodeContext } from '../node-service/node-context.ts';
import type { BlockDevice } from '../os/index.ts';
import { mountAt } from '../os/mount-entry.ts';
import { type DirectPVDrive, LABELS, recordedDevice } from '../resources/index.ts';
import type { Finding } from './drive-check.ts';
import { claimOn, type DriveClaim, lostBy } from './drive-claim.ts';

type Drive = Cached<DirectPVDrive>;

/** The devices that may hold a drive whose file system none shows, the surest first. */
export function claimsOf(drive: Drive, devices: readonly BlockDevice[]): DriveClaim[] {
  const order: readonly DriveClaim['state'][] = [
    'damaged',
    'overwritten',
    'relabelled',
    'unreadable',
    'unrecognised',
    'similar',
  ];
  return devices
    .flatMap((device) => claimOn(device, drive) ?? [])
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

/** Why a drive is not found. A device that is there but cannot be read is no loss, but an error. */
export async function findLost(
  { os, layout }: NodeContext,
  devices: readonly BlockDevice[],
  drive: Drive,
): Promise<Finding> {
  const { fsuuid } = drive.status;
  const mount = mountAt(await os.mounts(), await os.realPath(layout.mountPath(fsuuid)));
  const mounted = devices.find(({ majorMinor }) => majorMinor === mount?.majorMinor);
  const [claim] = claimsOf(drive, devices);
  const problem = mounted?.problem ?? (claim?.state === 'unreadable' ? claim.device.problem : undefined);
  if (problem !== undefined)
    return { state: 'error', type: 'IOError', message: `Drive has I/O error: ${problem}` };
  return { state: 'lost', message: claim === undefined ? notFound(drive) : lostBy(claim) };
}

function notFound(drive: Drive): string {
  const recorded = recordedDevice(drive);
  const name = recorded?.name ?? drive.metadata?.labels?.[LABELS.driveName] ?? '';
  const { wwid, serial, backing } = recorded ?? {};
  const which = serial !== undefined ? `serial number ${serial}` : (wwid ?? backing);
  const last = name === '' ? '' : `; it was on ${name}${which === undefined ? '' : ` (${which})`}`;
  return `Device not found: no device of the node has the file system of the drive${last}`;
}
