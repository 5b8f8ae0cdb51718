import type { Cached } from '@windlass/apimachinery';
import { type DirectPVSnapshot, type DirectPVVolume, isSnapshotId } from '../resources/index.ts';
import { type ControllerContext, findLive, findLiveSnapshot } from './context.ts';

/** What a drive sets bytes aside for. Ids of snapshots are never those of volumes. */
export type Holding = Cached<DirectPVVolume> | Cached<DirectPVSnapshot>;

/** As the API server has it now. */
export async function findHolding(
  context: ControllerContext,
  id: string,
  signal: AbortSignal,
): Promise<Holding | undefined> {
  return isSnapshotId(id) ? findLiveSnapshot(context, id, signal) : findLive(context, id, signal);
}

/** All of a drive by its label, as the API server has them now. */
export async function* holdingsOf(
  { volumes, snapshots }: ControllerContext,
  labelSelector: string,
  signal: AbortSignal,
): AsyncIterable<Holding> {
  yield* volumes.live().items({ labelSelector, signal });
  yield* snapshots.live().items({ labelSelector, signal });
}
