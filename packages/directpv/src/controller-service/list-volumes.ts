import { type Cached, hasFinalizer, isBeingDeleted } from '@windlass/apimachinery';
import type { ListVolumesRequest, ListVolumesResponse, MessageInit } from '@windlass/csi';
import { type DirectPVVolume, FINALIZERS } from '../resources/index.ts';
import type { ControllerContext } from './context.ts';
import { conditionOf, toCsiVolume } from './csi-volume.ts';
import { pageOf } from './pages.ts';

type Volume = Cached<DirectPVVolume>;

/** Volumes page by page, in the order in which they were asked for. */
export async function listVolumes(
  { volumes, ledger }: ControllerContext,
  request: ListVolumesRequest,
  signal: AbortSignal,
): Promise<MessageInit<ListVolumesResponse>> {
  const there = (await volumes.list({ signal })).filter((volume) => !isGoing(volume));
  const { page, nextToken } = pageOf(there, request);
  return {
    entries: page.map((volume) => {
      const drive = ledger.get(volume.status.fsuuid);
      return {
        volume: toCsiVolume(volume, drive),
        status: { publishedNodeIds: [], volumeCondition: conditionOf(volume, drive) },
      };
    }),
    nextToken,
  };
}

/** DeleteVolume has been answered: to callers it is gone. */
export function isGoing(volume: Volume): boolean {
  return isBeingDeleted(volume) && !hasFinalizer(volume, FINALIZERS.pvProtection);
}
