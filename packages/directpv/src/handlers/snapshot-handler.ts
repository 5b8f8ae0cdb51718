import { type Cached, formatMicroTime, removeFinalizer } from '@windlass/apimachinery';
import type { ReconcileContext, ReconcileResult } from '@windlass/runtime';
import { InsufficientCapacityError, release, reserve } from '../accounting/index.ts';
import { CopyError, copyConsistently } from '../node-service/consistent-copy.ts';
import {
  changeDrive,
  changeSnapshot,
  type NodeContext,
  readDrive,
  readSnapshot,
  readVolume,
} from '../node-service/node-context.ts';
import { podsOfVolume } from '../node-service/pods-of-volume.ts';
import { messageOf } from '../node-service/requests.ts';
import { volumeUsage } from '../node-service/stats.ts';
import { isNoEntry } from '../os/errors.ts';
import {
  awaitsContents,
  contentSource,
  type DirectPVDrive,
  type DirectPVSnapshot,
  type DirectPVVolume,
  EVENT_REASONS,
  FINALIZERS,
  holdsVolume,
  LABELS,
  nodeLabelValue,
  SNAPSHOT_REASONS,
  type SnapshotReason,
} from '../resources/index.ts';
import { withPendingPurge } from './purge/pending-purges.ts';
import type { Purger } from './purge/purger.ts';
import { removeData } from './purge/remove-data.ts';

type Drive = Cached<DirectPVDrive>;
type Snapshot = Cached<DirectPVSnapshot>;
type Volume = Cached<DirectPVVolume>;

export interface SnapshotHandlerOptions {
  readonly purger: Purger;
  /** Asks for another look. */
  readonly wake: (snapshot: string) => void;
}

const RETRY_MS = 5_000;
/** A little more than the files take now: what the source takes may grow before the copy is made. */
const SLACK_BYTES = 1024 ** 2;

/** Takes the snapshots of the node's volumes that are asked for, and removes those that are deleted. */
export class SnapshotHandler {
  readonly #context: NodeContext;
  readonly #options: SnapshotHandlerOptions;

  constructor(context: NodeContext, options: SnapshotHandlerOptions) {
    this.#context = context;
    this.#options = options;
  }

  readonly reconcile = async (name: string, { signal }: ReconcileContext): Promise<ReconcileResult> => {
    const { locks, nodeName } = this.#context;
    return locks.run(name, signal, async () => {
      const snapshot = await readSnapshot(this.#context, name, signal);
      if (snapshot?.metadata?.labels?.[LABELS.node] !== nodeLabelValue(nodeName)) return {};
      if (snapshot.metadata.deletionTimestamp !== undefined) await this.#purge(snapshot, signal);
      else if (snapshot.status.status === 'Pending') return this.#take(snapshot, signal);
      return {};
    });
  };

  async #take(snapshot: Snapshot, signal: AbortSignal): Promise<ReconcileResult> {
    const { locks } = this.#context;
    const { volume } = snapshot.status;
    try {
      // Calls for the volume wait: the pods that have it must not change meanwhile.
      await locks.run(volume, signal, () => this.#copy(snapshot, signal));
      return {};
    } catch (error) {
      if (signal.aborted) throw error;
      await this.#noteFailure(snapshot, reasonOf(error), messageOf(error), signal);
      return { requeueAfterMs: RETRY_MS };
    }
  }

  /**
   * Sets aside what the volume takes now, copies, then sets aside what the copy really takes: no more is promised at
   * any moment than the drive has.
   */
  async #copy(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const { clock, recorder } = this.#context;
    const id = snapshot.metadata.name;
    const { volume, drive } = await this.#source(snapshot, signal);
    const { fsuuid } = drive.status;
    const used = await this.#usedBytes(volume, drive, signal);
    await this.#reserve(fsuuid, id, used + SLACK_BYTES, signal);
    const copied = await copyConsistently(this.#context, {
      drive,
      from: volume.metadata.name,
      to: id,
      // Without a limit of its own a volume may take more than its size.
      limitBytes: Math.max(volume.status.totalCapacity, used) + SLACK_BYTES,
      pods: podsOfVolume(volume),
      signal,
    });
    const bytes = Math.max(1, copied.usedBytes);
    await this.#reserve(fsuuid, id, bytes, signal);
    const taken = await changeSnapshot(
      this.#context,
      id,
      ({ status: { reason: _reason, message: _message, ...status }, ...newest }): Snapshot => ({
        ...newest,
        status: {
          ...status,
          totalCapacity: bytes,
          restoreSize: volume.status.totalCapacity,
          takenAt: formatMicroTime(copied.at),
          pausedMs: Math.ceil(copied.pausedMs),
          status: 'Ready',
        },
      }),
      signal,
    );
    if (taken === undefined) return;
    const pause = copied.pausedMs === 0 ? '' : `; its pods were paused for ${Math.ceil(copied.pausedMs)} ms`;
    const note = `Snapshot of volume ${volume.metadata.name} takes ${bytes} bytes at ${formatMicroTime(clock.now())}${pause}`;
    recorder.normal(taken, EVENT_REASONS.snapshotTaken, note);
  }

  async #source(
    { status: { volume: name, fsuuid } }: Snapshot,
    signal: AbortSignal,
  ): Promise<{ readonly volume: Volume; readonly drive: Drive }> {
    const volume = await readVolume(this.#context, name, signal);
    if (volume === undefined) throw new CopyError(SNAPSHOT_REASONS.failed, `volume ${name} is gone`);
    if (volume.status.fsuuid !== fsuuid)
      throw new CopyError(
        SNAPSHOT_REASONS.failed,
        `volume ${name} was moved to drive ${volume.status.fsuuid}; delete the snapshot and make it again`,
      );
    if (awaitsContents(volume))
      throw new CopyError(SNAPSHOT_REASONS.failed, `volume ${name} does not have its contents yet`);
    const drive = await readDrive(this.#context, fsuuid, signal);
    if (drive === undefined) throw new CopyError(SNAPSHOT_REASONS.failed, `drive ${fsuuid} is gone`);
    return { volume, drive };
  }

  /** Nothing, of a volume that was never used. */
  async #usedBytes(volume: Volume, drive: Drive, signal: AbortSignal): Promise<number> {
    try {
      return (await volumeUsage(this.#context, volume, drive, signal)).usedBytes;
    } catch (error) {
      if (isNoEntry(error)) return 0;
      throw error;
    }
  }

  async #reserve(fsuuid: string, id: string, bytes: number, signal: AbortSignal): Promise<void> {
    const at = formatMicroTime(this.#context.clock.now());
    await changeDrive(this.#context, fsuuid, (newest) => reserve(newest, { volume: id, bytes, at }), signal);
  }

  async #noteFailure(
    snapshot: Snapshot,
    reason: SnapshotReason,
    message: string,
    signal: AbortSignal,
  ): Promise<void> {
    const isNew = snapshot.status.message !== message;
    const noted = await changeSnapshot(
      this.#context,
      snapshot.metadata.name,
      (newest) =>
        newest.status.status === 'Ready' ||
        (newest.status.message === message && newest.status.reason === reason)
          ? newest
          : { ...newest, status: { ...newest.status, reason, message } },
      signal,
    );
    if (noted !== undefined && isNew)
      this.#context.recorder.warning(noted, EVENT_REASONS.snapshotFailed, message);
  }

  /** As with volumes: the data first, then the bytes, then the object. */
  async #purge(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const { recorder } = this.#context;
    const id = snapshot.metadata.name;
    // Others still need it; who takes their finalizer away, or ends the copy, is an event.
    if (snapshot.metadata.finalizers?.some((one) => one !== FINALIZERS.purgeProtection) === true) return;
    if (this.#isCopied(id)) return;
    const drive = await readDrive(this.#context, snapshot.status.fsuuid, signal);
    if (drive !== undefined && holdsVolume(drive, id)) {
      const { purger, wake } = this.#options;
      const onEnd = (): void => wake(id);
      const state = await removeData(this.#context, purger, { drive, name: id, onEnd, signal });
      if (state === 'running') return;
      const bytes = snapshot.status.totalCapacity;
      const after = await changeDrive(
        this.#context,
        drive.status.fsuuid,
        (newest) => {
          const released = release(newest, { volume: id, bytes });
          return state === 'unreachable' && released !== newest ? withPendingPurge(released, id) : released;
        },
        signal,
      );
      if (after !== undefined)
        recorder.normal(after, EVENT_REASONS.snapshotReleased, `Snapshot ${id} is released`);
    }
    await changeSnapshot(
      this.#context,
      id,
      (current) => removeFinalizer(current, FINALIZERS.purgeProtection),
      signal,
    );
  }

  /** Whether a volume that is being made of it still needs it. */
  #isCopied(id: string): boolean {
    return this.#context.local
      .volumes()
      .some(
        (volume) =>
          volume.metadata.deletionTimestamp === undefined &&
          awaitsContents(volume) &&
          contentSource(volume)?.id === id,
      );
  }
}

function reasonOf(error: unknown): SnapshotReason {
  if (error instanceof CopyError) return error.reason;
  return error instanceof InsufficientCapacityError
    ? SNAPSHOT_REASONS.insufficientCapacity
    : SNAPSHOT_REASONS.failed;
}
