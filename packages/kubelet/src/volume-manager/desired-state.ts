import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { WantedVolume } from './volume.ts';

/** One pod that shall have one volume mounted. */
export interface DesiredMount {
  readonly uid: string;
  readonly pod: Cached<Pod>;
  readonly volume: WantedVolume;
}

/** What shall be mounted on the node, and for whom. */
export class DesiredState {
  /** By the volume's unique name, then by the pod's uid. */
  readonly #volumes = new Map<string, Map<string, DesiredMount>>();
  readonly #pods = new Map<string, readonly WantedVolume[]>();

  /**
   * Replaces what the pod wanted before. It may call one volume by several names.
   * @returns the unique names of what it wanted and of what it wants
   */
  set(pod: Cached<Pod>, volumes: readonly WantedVolume[]): ReadonlySet<string> {
    const uid = pod.metadata.uid;
    const touched = new Set(this.delete(uid));
    this.#pods.set(uid, volumes);
    for (const volume of volumes) {
      touched.add(volume.uniqueName);
      let mounts = this.#volumes.get(volume.uniqueName);
      if (mounts === undefined) {
        mounts = new Map();
        this.#volumes.set(volume.uniqueName, mounts);
      }
      mounts.set(uid, { uid, pod, volume });
    }
    return touched;
  }

  /** @returns the unique names of what it wanted */
  delete(uid: string): readonly string[] {
    const wanted = (this.#pods.get(uid) ?? []).map(({ uniqueName }) => uniqueName);
    this.#pods.delete(uid);
    for (const name of wanted) {
      const mounts = this.#volumes.get(name);
      mounts?.delete(uid);
      if (mounts?.size === 0) this.#volumes.delete(name);
    }
    return wanted;
  }

  /** What the pod wants is the same, but more is known of it. */
  update(uid: string, volume: WantedVolume): void {
    const mount = this.#volumes.get(volume.uniqueName)?.get(uid);
    if (mount !== undefined) this.#volumes.get(volume.uniqueName)?.set(uid, { ...mount, volume });
  }

  /** By uid, in the order in which the pods came. */
  mountsOf(uniqueName: string): ReadonlyMap<string, DesiredMount> {
    return this.#volumes.get(uniqueName) ?? NONE;
  }

  volumesOf(uid: string): readonly WantedVolume[] {
    return this.#pods.get(uid) ?? [];
  }

  get uniqueNames(): Iterable<string> {
    return this.#volumes.keys();
  }

  get pods(): Iterable<string> {
    return this.#pods.keys();
  }
}

const NONE: ReadonlyMap<string, DesiredMount> = new Map();
