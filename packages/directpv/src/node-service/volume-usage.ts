import type { Cached } from '@windlass/apimachinery';
import {
  type DirectPVVolume,
  problemOf,
  VOLUME_CONDITIONS,
  withoutProblem,
  withProblem,
} from '../resources/index.ts';
import { warnOfVolume } from './claim-events.ts';
import { changeVolume, type NodeContext } from './node-context.ts';

type Volume = Cached<DirectPVVolume>;

/** Says of a volume that it takes more than its size, when that begins, and no longer when it is over. */
export async function noteUsage(
  context: NodeContext,
  volume: Volume,
  usedBytes: number,
  signal: AbortSignal,
): Promise<void> {
  const { totalCapacity, fsuuid } = volume.status;
  const isOver = usedBytes > totalCapacity;
  if (isOver === (problemOf(volume, 'QuotaExceeded') !== undefined)) return;
  let isNew = false;
  // Without what it takes now, which changes with every look.
  const message = `It takes more than its size of ${totalCapacity} bytes, which other volumes of drive ${fsuuid} will miss`;
  const after = await changeVolume(
    context,
    volume.metadata.name,
    (newest) => {
      isNew = isOver && problemOf(newest, 'QuotaExceeded') === undefined;
      return isOver
        ? withProblem(newest, 'QuotaExceeded', message, context.clock)
        : withoutProblem(newest, 'QuotaExceeded');
    },
    signal,
  );
  if (after === undefined || !isNew) return;
  const note = `It takes ${usedBytes} bytes, more than its size of ${totalCapacity}, which other volumes of drive ${fsuuid} will miss: expand it, or remove files`;
  await warnOfVolume(context, after, VOLUME_CONDITIONS.QuotaExceeded, note, signal);
}
