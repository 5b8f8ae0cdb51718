import type { Served } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import {
  ANNOTATIONS,
  DirectPVDrive,
  DirectPVVolume,
  GROUP,
  isPublished,
  nodeOfDrive,
  volumesOfDrive,
} from '../resources/index.ts';
import type { ChangeOptions } from './admin-options.ts';
import { changeEach, type Outcome } from './change.ts';
import { RefusedError } from './errors.ts';
import { volumeName } from './volume-query.ts';

/** On a drive that is Repairing: how, as JSON of RepairRequest. The node takes it away when it is done. */
export const REPAIR_ANNOTATION = `${GROUP}/repair`;

/** How the file system of a drive is repaired. */
export interface RepairRequest {
  /** Drops a journal that cannot be replayed; what was in it is lost. @default false */
  readonly force?: boolean;
  /** Reads nothing ahead, for machines with little memory. @default false */
  readonly disablePrefetch?: boolean;
  /** Only looks, and changes nothing on the drive. @default false */
  readonly checkOnly?: boolean;
}

/**
 * Asks the nodes to mend the file systems of these drives. They unmount them for it, so that it is refused for a
 * drive that a pod uses. A drive that is Lost may be repaired, too: its device may only have lost the beginning of its
 * file system. When a drive is Ready again, or Error with a condition that says why, it is over.
 */
export async function repairDrives(
  client: Client,
  drives: readonly Served<DirectPVDrive>[],
  request: RepairRequest = {},
  options: ChangeOptions = {},
): Promise<Outcome<DirectPVDrive>[]> {
  const { signal } = options;
  const published = new Set<string>();
  for await (const volume of client.resource(DirectPVVolume).items(signal === undefined ? {} : { signal }))
    if (isPublished(volume)) published.add(volumeName(volume));
  const { force = false, disablePrefetch = false, checkOnly = false } = request;
  const how = JSON.stringify({ force, disablePrefetch, checkOnly });
  const change = (drive: Served<DirectPVDrive>): DirectPVDrive => {
    const { status } = drive.status;
    if (status === 'Repairing') return drive;
    if (status === 'Removed' || status === 'Moving')
      throw new RefusedError(`it is ${status}, and cannot be repaired now`);
    if (drive.metadata?.annotations?.[ANNOTATIONS.nodeLostSince] !== undefined)
      throw new RefusedError(`its node ${nodeOfDrive(drive)} is gone, and nobody is there to repair it`);
    const busy = volumesOfDrive(drive).find((volume) => published.has(volume));
    if (busy !== undefined)
      throw new RefusedError(`a pod uses its volume ${busy}; delete the pods that use the drive first`);
    const annotations = { ...drive.metadata?.annotations, [REPAIR_ANNOTATION]: how };
    return {
      ...drive,
      metadata: { ...drive.metadata, annotations },
      status: { ...drive.status, status: 'Repairing' },
    };
  };
  return changeEach(client, DirectPVDrive, drives, change, options);
}

/** What the node is asked for; everything by default where nobody said more. */
export function repairRequestOf(drive: {
  readonly metadata?: { readonly annotations?: { readonly [key: string]: string } };
}): Required<RepairRequest> {
  let said: unknown;
  try {
    said = JSON.parse(drive.metadata?.annotations?.[REPAIR_ANNOTATION] ?? '{}');
  } catch {
    said = {};
  }
  // Whatever JSON there is, its fields are unknown until they are compared.
  const { force, disablePrefetch, checkOnly } = (said ?? {}) as Record<keyof RepairRequest, unknown>;
  return {
    force: force === true,
    disablePrefetch: disablePrefetch === true,
    checkOnly: checkOnly === true,
  };
}
