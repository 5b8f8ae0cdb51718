import { type Cached, removeFinalizer } from '@windlass/apimachinery';
import type { Clock } from '@windlass/base';
import type { ReconcileContext, ReconcileResult } from '@windlass/runtime';
import { release } from '../accounting/index.ts';
import { warnOfVolume } from '../node-service/claim-events.ts';
import {
  changeDrive,
  changeVolume,
  type NodeContext,
  readDrive,
  readVolume,
} from '../node-service/node-context.ts';
import { targetsOf } from '../node-service/published-targets.ts';
import { unmountAll } from '../node-service/unmount-all.ts';
import {
  type DirectPVDrive,
  type DirectPVVolume,
  EVENT_REASONS,
  FINALIZERS,
  holdsVolume,
  isReleased,
  LABELS,
  nodeLabelValue,
  problemOf,
  VOLUME_CONDITIONS,
  withoutProblem,
  withProblem,
} from '../resources/index.ts';
import { populateVolume } from './populate-volume.ts';
import { withPendingPurge } from './purge/pending-purges.ts';
import type { Purger } from './purge/purger.ts';
import { removeData } from './purge/remove-data.ts';

type Drive = Cached<DirectPVDrive>;
type Volume = Cached<DirectPVVolume>;

export interface VolumeHandlerOptions {
  readonly purger: Purger;
  /** Asks for another look. */
  readonly wake: (volume: string) => void;
}

/** Keeps the volumes of the node true to their drives, and removes what is deleted. */
export class VolumeHandler {
  readonly #context: NodeContext;
  readonly #options: VolumeHandlerOptions;

  constructor(context: NodeContext, options: VolumeHandlerOptions) {
    this.#context = context;
    this.#options = options;
  }

  readonly reconcile = async (name: string, { signal }: ReconcileContext): Promise<ReconcileResult> => {
    const volume = await readVolume(this.#context, name, signal);
    if (volume?.metadata?.labels?.[LABELS.node] !== nodeLabelValue(this.#context.nodeName)) return {};
    if (volume.metadata.deletionTimestamp === undefined) {
      await this.#follow(volume, signal);
      return populateVolume(this.#context, volume, signal);
    }
    // Whoever still needs it takes the finalizer away when done, and that is an event.
    if (!isReleased(volume)) return {};
    await this.#context.locks.run(name, signal, () => this.#purge(volume, signal));
    return {};
  };

  /** What is known of the drive is said of the volume, too. */
  async #follow(volume: Volume, signal: AbortSignal): Promise<void> {
    const { local, clock } = this.#context;
    const drive = local.drives().find(({ metadata }) => metadata.name === volume.status.fsuuid);
    if (drive === undefined) return;
    const driveName = drive.metadata?.labels?.[LABELS.driveName];
    let isNewlyUnlimited = false;
    const change = (current: Volume): Volume => {
      const told = withDriveProblems(current, drive, clock);
      isNewlyUnlimited =
        problemOf(told, 'QuotaNotEnforced') !== undefined &&
        problemOf(current, 'QuotaNotEnforced') === undefined;
      if (driveName === undefined || told.metadata?.labels?.[LABELS.driveName] === driveName) return told;
      const labels = { ...told.metadata?.labels, [LABELS.driveName]: driveName };
      return { ...told, metadata: { ...told.metadata, labels } };
    };
    if (change(volume) === volume) return;
    const after = await changeVolume(this.#context, volume.metadata.name, change, signal);
    if (after === undefined || !isNewlyUnlimited) return;
    const { QuotaNotEnforced: reason } = VOLUME_CONDITIONS;
    await warnOfVolume(
      this.#context,
      after,
      reason,
      problemOf(after, 'QuotaNotEnforced')?.message ?? '',
      signal,
    );
  }

  /**
   * Unmounts, removes the data, gives the bytes back, lets the object go: in this order, so that a crash at any point
   * leaves what the next try finishes, and the bytes are given back once and only when the space is there.
   */
  async #purge(volume: Volume, signal: AbortSignal): Promise<void> {
    const { recorder, os } = this.#context;
    const name = volume.metadata.name;
    for (const path of [...targetsOf(volume), volume.status.stagingTargetPath])
      if (path !== '') await unmountAll(os, await os.realPath(path), signal);
    const drive = await readDrive(this.#context, volume.status.fsuuid, signal);
    if (drive !== undefined && holdsVolume(drive, name)) {
      const { purger, wake } = this.#options;
      const onEnd = (): void => wake(name);
      const state = await removeData(this.#context, purger, { drive, name, onEnd, signal });
      if (state === 'running') return;
      const claimId = volume.metadata?.labels?.[LABELS.claimId];
      const bytes = volume.status.totalCapacity;
      const after = await changeDrive(
        this.#context,
        drive.status.fsuuid,
        (newest) => {
          const released = release(newest, {
            volume: name,
            bytes,
            ...(claimId !== undefined && { claimId }),
          });
          return state === 'unreachable' && released !== newest ? withPendingPurge(released, name) : released;
        },
        signal,
      );
      if (after !== undefined)
        recorder.normal(after, EVENT_REASONS.volumeReleased, `Volume ${name} is released`);
    }
    await changeVolume(
      this.#context,
      name,
      (current) => removeFinalizer(current, FINALIZERS.purgeProtection),
      signal,
    );
  }
}

/** The volume with what its drive says that concerns it, and without what the drive no longer says. */
function withDriveProblems(volume: Volume, drive: Drive, clock: Clock): Volume {
  const { fsuuid, status } = drive.status;
  const why = problemOf(drive, 'Lost')?.message;
  const lost = `Drive ${fsuuid} is lost${why === undefined ? '' : `: ${why}`}`;
  const found = status === 'Lost' ? withProblem(volume, 'Lost', lost, clock) : withoutProblem(volume, 'Lost');
  const unlimited = problemOf(drive, 'QuotaNotEnforced');
  return unlimited === undefined
    ? withoutProblem(found, 'QuotaNotEnforced')
    : withProblem(found, 'QuotaNotEnforced', unlimited.message ?? '', clock);
}
