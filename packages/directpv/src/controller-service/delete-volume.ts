import {
  type Cached,
  hasFinalizer,
  isBeingDeleted,
  isConditionTrue,
  isNotFound,
  removeFinalizer,
} from '@windlass/apimachinery';
import { retryOnConflict } from '@windlass/client';
import { GrpcError } from '@windlass/csi';
import { type DirectPVVolume, FINALIZERS, isPublished, isStaged } from '../resources/index.ts';
import { type ControllerContext, forWriting } from './context.ts';

/**
 * Lets a volume go: nobody protects it any more, and its object is deleted. Its node then removes the data, gives the
 * bytes back to the drive and lets the object go for good. Resolves before that.
 */
export async function deleteVolume(
  context: ControllerContext,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  await context.locks.run(id, signal, () => letGo(context, id, signal));
}

/** As `deleteVolume`, for who has the volume's lock. */
export async function letGo(
  { volumes, clock, random }: ControllerContext,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  let volume: Cached<DirectPVVolume> | undefined = await volumes.find(id, { signal });
  try {
    const free = await retryOnConflict(
      async () => {
        volume ??= await volumes.live().get(id, { signal });
        // Read anew after a conflict.
        const current = volume;
        volume = undefined;
        requireUnused(current);
        if (!hasFinalizer(current, FINALIZERS.pvProtection)) return current;
        return volumes.update(forWriting(removeFinalizer(current, FINALIZERS.pvProtection)), { signal });
      },
      { signal, clock, random },
    );
    if (isBeingDeleted(free)) return;
    const { uid } = free.metadata;
    await volumes.delete(id, { signal, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function requireUnused(volume: Cached<DirectPVVolume>): void {
  // Whoever used a volume that was lost with its node is gone, too.
  if (isConditionTrue(volume.status.conditions, 'Lost')) return;
  if (isStaged(volume) || isPublished(volume))
    throw new GrpcError(
      'FAILED_PRECONDITION',
      `volume ${volume.metadata.name} is in use at ${volume.status.targetPath || volume.status.stagingTargetPath}; unpublish and unstage it first`,
    );
}
