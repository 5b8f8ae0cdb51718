import type { Cached } from '@windlass/apimachinery';
import { reportIoError } from '../../node-service/drive-access.ts';
import type { NodeContext } from '../../node-service/node-context.ts';
import { isIoError, isNoEntry } from '../../os/errors.ts';
import { mountAt } from '../../os/mount-entry.ts';
import { DELETED_SUFFIX, type DirectPVDrive, PARTIAL_SUFFIX } from '../../resources/index.ts';
import { clearQuota } from './clear-quota.ts';
import type { Purger } from './purger.ts';

export interface Doomed {
  readonly drive: Cached<DirectPVDrive>;
  /** The volume's or snapshot's id, which is its directory's name. */
  readonly name: string;
  /** Called when a removal that runs has ended. */
  readonly onEnd: () => void;
  readonly signal: AbortSignal;
}

/** `unreachable`: the drive is gone or broken. What is on it may go all the same; it is cleaned if it returns. */
export type RemovalState = 'removed' | 'running' | 'unreachable';

const UNREACHABLE: ReadonlySet<string> = new Set(['Lost', 'Error', 'Removed']);

/** Removes the directory of a volume or snapshot in the background, and a copy that was on its way to it. */
export async function removeData(
  context: NodeContext,
  purger: Purger,
  { drive, name, onEnd, signal }: Doomed,
): Promise<RemovalState> {
  const { os, layout } = context;
  const { fsuuid } = drive.status;
  const mountPath = layout.mountPath(fsuuid);
  const doomed = `${mountPath}/${name}${DELETED_SUFFIX}`;
  const partial = `${mountPath}/${name}${PARTIAL_SUFFIX}`;
  try {
    const isMounted = mountAt(await os.mounts(), await os.realPath(mountPath)) !== undefined;
    if (!isMounted || (await os.entryType(layout.sentinel(fsuuid))) === undefined) {
      // A drive that is only about to be mounted is waited for.
      if (!UNREACHABLE.has(drive.status.status))
        throw new Error(`drive ${fsuuid} is to be mounted before ${name} can be removed`);
      return 'unreachable';
    }
    // Before the rename: after it, and a crash, nobody would know whose limit it is.
    await clearQuota(context, fsuuid, name, signal);
    await os.rename(layout.dataPath(fsuuid, name), doomed).catch((error: unknown) => {
      if (!isNoEntry(error)) throw error;
    });
    if ((await os.entryType(partial)) !== undefined) {
      await clearQuota(context, fsuuid, `${name}${PARTIAL_SUFFIX}`, signal);
      if (!purger.remove(partial, onEnd)) return 'running';
    }
    return purger.remove(doomed, onEnd) ? 'removed' : 'running';
  } catch (error) {
    if (!isIoError(error)) throw error;
    await reportIoError(context, fsuuid);
    return 'unreachable';
  }
}
