import type { Cached } from '@windlass/apimachinery';
import { throwIfAborted, WindlassError } from '@windlass/base';
import { isNoEntry, systemCode } from '../os/errors.ts';
import type { Pause } from '../os/index.ts';
import {
  type DirectPVDrive,
  PARTIAL_SUFFIX,
  SNAPSHOT_REASONS,
  type SnapshotReason,
} from '../resources/index.ts';
import { requireMounted } from './drive-access.ts';
import type { NodeContext } from './node-context.ts';
import { projectIdFor } from './project-id.ts';

/** A copy of a directory to another one of the same drive. */
export interface CopyRequest {
  readonly drive: Cached<DirectPVDrive>;
  /** A volume's or a snapshot's id, which is the name of its directory. */
  readonly from: string;
  readonly to: string;
  /** What the copy may take. */
  readonly limitBytes: number;
  /** The pods that may write to the original, by uid. */
  readonly pods: readonly string[];
  readonly signal: AbortSignal;
}

/** A copy that shows one moment of the original. */
export interface Copied {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** For how long the pods were paused: 0 where nobody wrote meanwhile. */
  readonly pausedMs: number;
  readonly usedBytes: number;
}

/** A copy that cannot be made as things are. */
export class CopyError extends WindlassError {
  readonly reason: SnapshotReason;

  constructor(reason: SnapshotReason, message: string, cause?: unknown) {
    super(message, { code: 'COPY', cause });
    this.reason = reason;
  }
}

/** So long pods may stand still: less than most probes and sessions wait. */
const MAX_PAUSE_MS = 10_000;
/** How often it is tried with the pods paused. */
const PAUSED_ATTEMPTS = 3;

/**
 * Copies a directory by sharing its blocks, so that the copy shows one moment of the original: what a crash at that
 * moment would have left, in every file. A file system that is frozen cannot share blocks, so each copy has to prove
 * itself: it counts only if nothing in the original has changed from before its first file to after its last one. At
 * first nobody is disturbed. Where somebody writes, the pods are paused for the next try.
 *
 * The copy appears under its name when it is complete and on the disk. What a crash leaves has another name, and is
 * replaced by the next try.
 * @throws CopyError that says what is in the way
 */
export async function copyConsistently(context: NodeContext, request: CopyRequest): Promise<Copied> {
  const { os, layout, clock } = context;
  const { drive, from, to, pods, signal } = request;
  const { fsuuid } = drive.status;
  await requireMounted(context, drive);
  const target = layout.dataPath(fsuuid, to);
  const partial = `${target}${PARTIAL_SUFFIX}`;
  const source = layout.dataPath(fsuuid, from);
  // A volume that was never used has no directory.
  const isThere = (await os.entryType(source)) !== undefined;
  // To share blocks, what is only in memory is written out; better now than while pods stand still.
  if (isThere) await os.flush(source, { signal });
  let missing: readonly string[] = [];
  for (let attempt = 0; attempt <= PAUSED_ATTEMPTS; attempt++) {
    throwIfAborted(signal);
    const projectId = await prepare(context, request, partial);
    const isPaused = attempt > 0 && pods.length > 0;
    const start = clock.monotonic();
    const pause = isPaused ? await os.pausePods(pods, { maxMs: MAX_PAUSE_MS, signal }) : undefined;
    const at = clock.now();
    const isWhole = !isThere || (await copyUnchanged(context, source, partial, { pause, signal }));
    const ms = clock.monotonic() - start;
    missing = pause?.missing ?? missing;
    if (isWhole) {
      await os.flush(partial, { signal });
      const { usedBytes } = await os.usage(
        { mountPath: layout.mountPath(fsuuid), path: partial, projectId },
        { signal },
      );
      await os.removeTree(target, { signal });
      await os.rename(partial, target);
      return { at, pausedMs: isPaused ? ms : 0, usedBytes };
    }
    if (pods.length > 0 && ms > MAX_PAUSE_MS)
      throw new CopyError(
        SNAPSHOT_REASONS.busy,
        `${from} is written to, and to copy its files takes ${Math.ceil(ms / 1000)} s; pods are paused for ${MAX_PAUSE_MS / 1000} s at most. Stop the pods that use it, or try when they write less`,
      );
  }
  const free = missing.length === 0 ? '' : `; pods that could not be paused: ${missing.join(', ')}`;
  throw new CopyError(
    SNAPSHOT_REASONS.busy,
    `files of ${from} changed during each of ${PAUSED_ATTEMPTS + 1} copies${free}. Stop what writes to it`,
  );
}

/** An empty directory with its limit. */
async function prepare(
  context: NodeContext,
  { drive, to, limitBytes, signal }: CopyRequest,
  partial: string,
): Promise<number> {
  const { os, layout, locks } = context;
  const mountPath = layout.mountPath(drive.status.fsuuid);
  await os.removeTree(partial, { signal });
  await os.makeDirectory(partial);
  // Two directories of one drive must not choose the same free number.
  return locks.run(`projects of ${drive.status.fsuuid}`, signal, async () => {
    const projectId = projectIdFor(to, await os.projects(mountPath, { signal }));
    await os.setQuota({ mountPath, path: partial, projectId }, limitBytes, { signal });
    return projectId;
  });
}

/** Whether the copy is of one moment. The pause is over in any case. */
async function copyUnchanged(
  { os }: NodeContext,
  source: string,
  target: string,
  { pause, signal }: { readonly pause: Pause | undefined; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    const before = await os.treeState(source, { signal });
    await os.cloneTree(source, target, { signal });
    const after = await os.treeState(source, { signal });
    return isSame(before, after);
  } catch (error) {
    // Files came and went while they were looked at.
    if (isNoEntry(error) && (await os.entryType(source)) !== undefined) return false;
    const code = systemCode(error);
    if (code === 'EOPNOTSUPP' || code === 'EXDEV')
      throw new CopyError(
        SNAPSHOT_REASONS.unsupported,
        'the file system of the drive cannot share blocks between files; it was made without reflinks. Move the volume to a drive that was initialised anew',
        error,
      );
    throw error;
  } finally {
    await pause?.resume();
  }
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  if (one.size !== other.size) return false;
  for (const [path, stamp] of one) if (other.get(path) !== stamp) return false;
  return true;
}
