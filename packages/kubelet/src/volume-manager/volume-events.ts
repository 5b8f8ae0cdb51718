import { createHash } from 'node:crypto';
import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { EventRecorder } from '@windlass/runtime';
import { describeFailure } from './errors.ts';
import type { WantedVolume } from './volume.ts';

/** What people are told of volumes, in the words that they know. */
export class VolumeEvents {
  readonly #recorder: EventRecorder;

  constructor(recorder: EventRecorder) {
    this.#recorder = recorder;
  }

  grown(pod: Cached<Pod>, { specName }: WantedVolume, node: string): void {
    this.#recorder.normal(
      pod,
      'FileSystemResizeSuccessful',
      `MountVolume.NodeExpandVolume succeeded for volume "${specName}" ${node}`,
    );
  }

  notGrown(pod: Cached<Pod>, { specName }: WantedVolume, error: unknown): void {
    const note = `NodeExpandVolume.NodeExpandVolume failed for volume "${specName}" : ${describeFailure(error)}`;
    this.#recorder.warning(pod, 'VolumeResizeFailed', note);
  }

  /** @param step `MountVolume.SetUp`, `MountVolume.MountDevice`, … */
  failed(pod: Cached<Pod>, step: string, { specName }: WantedVolume, error: unknown): void {
    this.#warn(pod, `${step} failed for volume "${specName}" : ${describeFailure(error)}`);
  }

  /** The pod as a whole waits, or cannot be understood. */
  waiting(pod: Cached<Pod>, unmounted: readonly string[], failed: readonly string[], why: string): void {
    this.#warn(
      pod,
      `Unable to attach or mount volumes: unmounted volumes=[${unmounted.join(' ')}], unattached volumes=[], failed to process volumes=[${failed.join(' ')}]: ${why}`,
    );
  }

  // The words are part of the action, so that what went wrong later does not hide behind what did at first.
  #warn(pod: Cached<Pod>, note: string): void {
    const words = createHash('sha256').update(note).digest('hex').slice(0, 8);
    this.#recorder.warning(pod, 'FailedMount', note, { action: `FailedMount/${words}` });
  }
}
