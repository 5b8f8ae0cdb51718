import { type Cached, isNotFound, type Served } from '@windlass/apimachinery';
import type { Clock, Logger, Random } from '@windlass/base';
import type { EventRecorder, KindClient } from '@windlass/runtime';
import type { DirectPVSnapshot, DirectPVVolume } from '../resources/index.ts';
import type { DriveLedger } from './drive-ledger.ts';
import type { KeyedLock } from './keyed-lock.ts';
import type { ControllerMetrics } from './metrics.ts';
import type { ObjectChanges } from './object-changes.ts';

/** What the controller's calls and loops share. */
export interface ControllerContext {
  readonly ledger: DriveLedger;
  readonly volumes: KindClient<DirectPVVolume>;
  readonly snapshots: KindClient<DirectPVSnapshot>;
  /** Of volumes and snapshots, for those who wait for a node. */
  readonly changes: ObjectChanges;
  /** One call at a time for each volume or snapshot; other replicas are kept out by compare-and-swap. */
  readonly locks: KeyedLock;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly recorder: EventRecorder;
  readonly metrics: ControllerMetrics;
}

/** The volume, for a client that is to write it. */
export function forWriting(volume: Cached<DirectPVVolume>): DirectPVVolume {
  // A client takes what it is to write as its own, but does not change it.
  return volume as DirectPVVolume;
}

/** A volume as the API server has it now; undefined when there is none. */
export async function findLive(
  { volumes }: Pick<ControllerContext, 'volumes'>,
  id: string,
  signal: AbortSignal,
): Promise<Served<DirectPVVolume> | undefined> {
  try {
    return await volumes.live().get(id, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** As `findLive`, of a snapshot. */
export async function findLiveSnapshot(
  { snapshots }: Pick<ControllerContext, 'snapshots'>,
  id: string,
  signal: AbortSignal,
): Promise<Served<DirectPVSnapshot> | undefined> {
  try {
    return await snapshots.live().get(id, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
