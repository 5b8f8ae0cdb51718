import type { Served } from '@windlass/apimachinery';
import {
  type DirectPVDrive,
  type DirectPVVolume,
  DRIVE_STATUSES,
  type DriveSelector,
  findDrives,
  findVolumes,
  VOLUME_STATUSES,
  type VolumeSelector,
} from '@windlass/directpv';
import { UsageError } from '../command-line/exit.ts';
import type { AdminCall } from './admin-call.ts';
import type { Flag } from './admin-command.ts';

const list = (name: string, value: string, text: string, short?: string): Flag => ({
  name,
  value,
  text,
  isList: true,
  ...(short !== undefined && { short }),
});

export const NODES = list('nodes', 'NAMES', 'on these nodes; {1...4} stands for a range', 'n');
export const DRIVES = list('drives', 'NAMES', 'of these names, such as sdb or nvme{0...3}n1', 'd');
export const DRIVE_STATUS = list('status', 'STATUS', 'error, lost, moving, ready, removed or repairing');
export const VOLUME_STATUS = list('status', 'STATUS', 'pending or ready');
export const LABELS_FLAG = list('labels', 'K=V,...', 'with these labels');
export const DRIVE_ID = list('drive-id', 'IDS', 'on these drives');
export const POD_NAMES = list('pod-names', 'NAMES', 'of these pods');
export const POD_NAMESPACES = list('pod-namespaces', 'NAMES', 'of pods in these namespaces');
export const IDS = list('ids', 'IDS', 'these, beside what other flags select');
export const ALL: Flag = { name: 'all', text: 'all there are' };
export const DRY_RUN: Flag = { name: 'dry-run', text: 'say what would be done, and do nothing' };
export const DANGEROUS: Flag = { name: 'dangerous', text: 'needed, because data is at stake' };

/** Flags that say which drives are meant. */
const SELECTORS = ['nodes', 'drives', 'status', 'labels', 'ids', 'drive-id', 'pod-names', 'pod-namespaces'];

/** Whether anything says which are meant; `--all` is no such thing. */
export function isSelective(call: AdminCall, ids: readonly string[]): boolean {
  return ids.length > 0 || SELECTORS.some((flag) => call.list(flag).length > 0);
}

/** What changes things must be told which; all of them is nothing that happens by leaving flags out. */
export function requireSelection(call: AdminCall, ids: readonly string[]): void {
  if (isSelective(call, ids) === call.has('all'))
    throw new UsageError(
      call.has('all')
        ? '--all means every one; leave it out, or leave the other selections out'
        : `say which: by id, by flags, or --all; ${call.command} --help lists the flags`,
    );
}

/** Checked here too, so that a wrong call is told as such before a cluster is asked. */
function labelPairs(call: AdminCall): readonly string[] {
  const lists = call.list('labels');
  for (const pair of lists.flatMap((list) => list.split(',')))
    if (!/^[^=]+=/.test(pair))
      throw new UsageError(`--labels must be pairs such as tier=hot,disk=ssd, but it has "${pair}"`);
  return lists;
}

export function driveQuery(call: AdminCall, ids: readonly string[]): DriveSelector {
  return {
    ids,
    nodes: call.list('nodes'),
    drives: call.list('drives'),
    statuses: call.choices('status', DRIVE_STATUSES),
    labels: labelPairs(call),
  };
}

export function volumeQuery(call: AdminCall, ids: readonly string[]): VolumeSelector {
  return {
    ids,
    nodes: call.list('nodes'),
    drives: call.list('drives'),
    statuses: call.choices('status', VOLUME_STATUSES),
    labels: labelPairs(call),
    driveIds: call.list('drive-id'),
    podNames: call.list('pod-names'),
    podNamespaces: call.list('pod-namespaces'),
  };
}

/** What was found, and whether all that was asked for by id is there. */
export interface Selection<T> {
  readonly items: readonly T[];
  readonly isComplete: boolean;
}

export async function selectDrives(
  call: AdminCall,
  ids: readonly string[],
  query: DriveSelector = driveQuery(call, ids),
): Promise<Selection<Served<DirectPVDrive>>> {
  const { items, missing } = await findDrives(await call.client(), query, { signal: call.signal });
  for (const id of missing) call.complain(`there is no drive ${id}`);
  if (items.length === 0 && missing.length === 0) call.complain('no drive matches');
  return { items, isComplete: items.length > 0 && missing.length === 0 };
}

export async function selectVolumes(
  call: AdminCall,
  ids: readonly string[],
  query: VolumeSelector = volumeQuery(call, ids),
): Promise<Selection<Served<DirectPVVolume>>> {
  const { items, missing } = await findVolumes(await call.client(), query, { signal: call.signal });
  for (const id of missing) call.complain(`there is no volume ${id}`);
  if (items.length === 0 && missing.length === 0) call.complain('no volume matches');
  return { items, isComplete: items.length > 0 && missing.length === 0 };
}
