import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { MountState, PodMount } from './actual-state.ts';
import type { VolumeStats } from './csi/node-driver.ts';
import type { VolumeIdentity, WantedVolume } from './volume.ts';

/** How a mount, or the device, was before. */
export interface MountBefore {
  readonly state: MountState | 'none';
  readonly isReconstructed: boolean;
}

/** Whether a clear no to a mount means that there is none: not when it was there without our doing. */
export function isGoneWhenRefused({ state, isReconstructed }: MountBefore): boolean {
  return state === 'none' || (state === 'uncertain' && !isReconstructed);
}

export interface SetUpRequest {
  readonly volume: WantedVolume;
  readonly pod: Cached<Pod>;
  readonly before: MountBefore;
  readonly signal: AbortSignal;
}

export interface ExpandVolumeRequest extends Omit<SetUpRequest, 'before'> {
  readonly bytes: number;
}

/**
 * Mounts volumes of one kind. A mount that fails has changed nothing, unless it fails with an UncertainError.
 * Everything may be called again after any outcome, and after a restart of the process; the caller sees to it
 * that it is never called twice at a time for one volume.
 */
export interface VolumePlugin {
  /** Makes it ready for the node. Only for volumes with a device. */
  mountDevice(request: SetUpRequest): Promise<void>;
  unmountDevice(volume: VolumeIdentity, signal: AbortSignal): Promise<void>;
  /** Makes it ready for a pod. */
  setUp(request: SetUpRequest): Promise<void>;
  /** How full a mounted volume is; undefined: nobody can say. */
  stats(volume: VolumeIdentity, mount: PodMount, signal: AbortSignal): Promise<VolumeStats | undefined>;
  /** Gives a mounted volume the room that it has grown to. Nothing to do is success, too. */
  expand(request: ExpandVolumeRequest): Promise<void>;
  tearDown(volume: VolumeIdentity, mount: PodMount, signal: AbortSignal): Promise<void>;
}
