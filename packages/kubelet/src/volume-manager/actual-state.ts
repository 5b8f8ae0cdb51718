import type { VolumeIdentity } from './volume.ts';

/** `uncertain`: it may be there or not; both mounting and unmounting it again are safe. */
export type MountState = 'mounted' | 'uncertain';

export interface PodMount {
  readonly uid: string;
  readonly specName: string;
  state: MountState;
  /** Found on the disk at the start: only taking it down shows that it is gone, not a refusal to mount it. */
  readonly isReconstructed: boolean;
  /** What it shows may be new: set it up again. */
  needsRemount: boolean;
}

/** One volume as it is on the node. */
export interface ActualVolume {
  readonly identity: VolumeIdentity;
  /** Undefined: it was found on the disk, and nobody has asked for it since. */
  isAttachable: boolean | undefined;
  isAttached: boolean;
  device: MountState | 'none';
  isDeviceReconstructed: boolean;
  /** By the pod's uid. */
  readonly pods: Map<string, PodMount>;
}

/** What is mounted on the node. It is lost with the process and found again on the disk. */
export class ActualState {
  readonly #volumes = new Map<string, ActualVolume>();
  /** By the pod's uid, the unique names of its mounts. */
  readonly #pods = new Map<string, Set<string>>();

  find(uniqueName: string): ActualVolume | undefined {
    return this.#volumes.get(uniqueName);
  }

  /** Finds it, or begins to know it. */
  volume(identity: VolumeIdentity): ActualVolume {
    let known = this.#volumes.get(identity.uniqueName);
    if (known === undefined) {
      known = {
        identity,
        isAttachable: undefined,
        isAttached: false,
        device: 'none',
        isDeviceReconstructed: false,
        pods: new Map(),
      };
      this.#volumes.set(identity.uniqueName, known);
    }
    return known;
  }

  setMount(volume: ActualVolume, mount: PodMount): void {
    volume.pods.set(mount.uid, mount);
    let names = this.#pods.get(mount.uid);
    if (names === undefined) {
      names = new Set();
      this.#pods.set(mount.uid, names);
    }
    names.add(volume.identity.uniqueName);
  }

  deleteMount(volume: ActualVolume, uid: string): void {
    volume.pods.delete(uid);
    const names = this.#pods.get(uid);
    names?.delete(volume.identity.uniqueName);
    if (names?.size === 0) this.#pods.delete(uid);
  }

  /** Nothing of it is left. */
  forget(uniqueName: string): void {
    this.#volumes.delete(uniqueName);
  }

  /** The unique names of what is mounted for a pod, or may be. */
  volumesOf(uid: string): Iterable<string> {
    return this.#pods.get(uid) ?? [];
  }

  isMounted(uniqueName: string, uid: string): boolean {
    return this.#volumes.get(uniqueName)?.pods.get(uid)?.state === 'mounted';
  }

  get volumes(): Iterable<ActualVolume> {
    return this.#volumes.values();
  }

  get pods(): Iterable<string> {
    return this.#pods.keys();
  }
}
