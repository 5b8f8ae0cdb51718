import type { Cached } from '@windlass/apimachinery';
import { type NodeContext, readDrive } from '../node-service/node-context.ts';
import { type BlockDevice, deniedReasons } from '../os/index.ts';
import {
  type DirectPVDrive,
  LABELS,
  nodeLabelValue,
  nodeOfDrive,
  recordedDevice,
} from '../resources/index.ts';
import { claimOn, deniedBy } from './drive-claim.ts';

type Drive = Cached<DirectPVDrive>;

/** The drives that devices of this node may hold. */
export interface KnownDrives {
  readonly own: readonly Drive[];
  /** Of other nodes, whose disks were carried here. */
  readonly others: readonly Drive[];
}

/**
 * The node's drives, and those of other nodes whose file systems are on these devices.
 * @param isLive whether to ask the API server for the node's drives, too: what is cached may be of yesterday
 */
export async function knownDrives(
  context: NodeContext,
  devices: readonly BlockDevice[],
  { isLive, signal }: { readonly isLive: boolean; readonly signal: AbortSignal },
): Promise<KnownDrives> {
  const own = isLive ? await liveDrives(context, signal) : context.local.drives();
  const names = new Set(own.map(({ status }) => status.fsuuid));
  const others: Drive[] = [];
  for (const fsuuid of new Set(devices.flatMap(fileSystemsOn))) {
    if (names.has(fsuuid)) continue;
    const drive = await readDrive(context, fsuuid, signal);
    if (drive !== undefined) others.push(drive);
  }
  return { own, others };
}

async function liveDrives({ drives, nodeName }: NodeContext, signal: AbortSignal): Promise<Drive[]> {
  const found: Drive[] = [];
  const labelSelector = `${LABELS.node}=${nodeLabelValue(nodeName)}`;
  for await (const drive of drives.live().items({ labelSelector, signal })) found.push(drive);
  return found;
}

function fileSystemsOn({ contents, traces = [] }: BlockDevice): string[] {
  const all = contents === undefined ? traces : [contents, ...traces];
  return all
    .filter(({ fsType }) => fsType === 'xfs')
    .flatMap(({ fsuuid, madeAs = '' }) => [fsuuid, madeAs])
    .filter((uuid) => uuid !== '');
}

/** How far apart the superblocks of the drives are: where a look at a damaged device begins. */
export function groupHints(drives: readonly Drive[]): number[] {
  return [...new Set(drives.flatMap((drive) => recordedDevice(drive)?.groupBytes ?? []))];
}

/**
 * Why a device must not be formatted: because of what it is, or because it is or was a drive. Empty when it may.
 * @param devices all of the node: a drive that one of them shows as it should is on no other
 */
export function denials(
  device: BlockDevice,
  { own, others }: KnownDrives,
  devices: readonly BlockDevice[],
): string[] {
  const shown = device.contents?.fsType === 'xfs' ? device.contents.fsuuid : undefined;
  const isOurs = (fsuuid: string): boolean => own.some(({ status }) => status.fsuuid === fsuuid);
  const reasons = deniedReasons(device, isOurs);
  if (shown !== undefined && isOurs(shown)) return reasons;
  const elsewhere = others.find(({ status }) => status.fsuuid === shown);
  if (elsewhere !== undefined)
    return [...reasons, `Used by DirectPV as drive ${shown} of node ${nodeOfDrive(elsewhere)}`];
  const intact = new Set(
    devices.flatMap(({ contents }) => (contents?.fsType === 'xfs' ? [contents.fsuuid] : [])),
  );
  for (const [drives, isOwn] of [[own, true] as const, [others, false] as const])
    for (const drive of drives) {
      const claim = intact.has(drive.status.fsuuid) ? undefined : claimOn(device, drive, isOwn);
      if (claim !== undefined) return [...reasons, deniedBy(claim)];
    }
  return reasons;
}
