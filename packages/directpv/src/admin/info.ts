import type { Client } from '@windlass/client';
import {
  DirectPVDrive,
  DirectPVVolume,
  LABELS,
  nodeLabelValue,
  nodeOfDrive,
  problemOf,
} from '../resources/index.ts';
import type { AdminOptions } from './admin-options.ts';
import { driverNodes } from './discover.ts';
import { naturally } from './drive-query.ts';
import { labelOf } from './volume-query.ts';

/** What a node has of drives and volumes. */
export interface NodeInfo {
  readonly node: string;
  /** Bytes of its drives. */
  readonly capacity: number;
  /** Bytes of them that volumes have. */
  readonly allocated: number;
  readonly volumes: number;
  readonly drives: number;
  /** Of its drives, those that cannot be used now: lost, or in error. */
  readonly failedDrives: number;
  /** Those whose volumes were promised more than they have. */
  readonly overcommittedDrives: number;
  /** Those whose volumes nothing stops at their size. */
  readonly unlimitedDrives: number;
}

/** Drives and volumes of each node, in order of names. Nodes of the driver that have no drives are there too. */
export async function nodeInfos(client: Client, { signal }: AdminOptions = {}): Promise<NodeInfo[]> {
  const call = signal === undefined ? {} : { signal };
  const nodes = new Map<string, { -readonly [K in keyof NodeInfo]: NodeInfo[K] }>();
  const names = new Map<string, string>();
  const at = (label: string) => {
    const known = nodes.get(label);
    if (known !== undefined) return known;
    const empty = {
      node: names.get(label) ?? label,
      capacity: 0,
      allocated: 0,
      volumes: 0,
      drives: 0,
      failedDrives: 0,
      overcommittedDrives: 0,
      unlimitedDrives: 0,
    };
    nodes.set(label, empty);
    return empty;
  };
  for (const name of await driverNodes(client, call)) {
    names.set(nodeLabelValue(name), name);
    at(nodeLabelValue(name));
  }
  for await (const drive of client.resource(DirectPVDrive).items(call)) {
    const node = at(nodeOfDrive(drive));
    node.drives += 1;
    node.capacity += drive.status.totalCapacity;
    node.allocated += drive.status.allocatedCapacity;
    if (drive.status.status === 'Lost' || drive.status.status === 'Error') node.failedDrives += 1;
    if (problemOf(drive, 'Overcommitted') !== undefined) node.overcommittedDrives += 1;
    if (problemOf(drive, 'QuotaNotEnforced') !== undefined) node.unlimitedDrives += 1;
  }
  for await (const volume of client.resource(DirectPVVolume).items(call))
    at(labelOf(volume, LABELS.node)).volumes += 1;
  return [...nodes.values()].sort((a, b) => naturally(a.node, b.node));
}
