import type { DeepReadonly } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { WantedVolume } from './volume.ts';

/** One pod's wish for one volume. */
export interface Wish {
  readonly uid: string;
  readonly pod: DeepReadonly<Pod>;
  readonly volume: WantedVolume;
}

/** What shall be mounted on the node, and for whom. */
export class DesiredState {
  /** By the volume's unique name, then by the pod's uid. */
  readonly #volumes = new Map<string, Map<string, Wish>>();
  readonly #pods = new Map<string, readonly WantedVolume[]>();

  /**
   * Replaces what the pod wanted before. It may call one volume by several names.
   * @returns the unique names of what it wanted and of what it wants
   */
  set(pod: DeepReadonly<Pod>, volumes: readonly WantedVolume[]): ReadonlySet<string> {
    const uid = pod.metadata?.uid ?? '';
    const touched = new Set(this.delete(uid));
    this.#pods.set(uid, volumes);
    for (const volume of volumes) {
      touched.add(volume.uniqueName);
      let wishes = this.#volumes.get(volume.uniqueName);
      if (wishes === undefined) {
        wishes = new Map();
        this.#volumes.set(volume.uniqueName, wishes);
      }
      wishes.set(uid, { uid, pod, volume });
    }
    return touched;
  }

  /** @returns the unique names of what it wanted */
  delete(uid: string): readonly string[] {
    const wanted = (this.#pods.get(uid) ?? []).map(({ uniqueName }) => uniqueName);
    this.#pods.delete(uid);
    for (const name of wanted) {
      const wishes = this.#volumes.get(name);
      wishes?.delete(uid);
      if (wishes?.size === 0) this.#volumes.delete(name);
    }
    return wanted;
  }

  /** What the pod wants is the same, but more is known of it. */
  update(uid: string, volume: WantedVolume): void {
    const wish = this.#volumes.get(volume.uniqueName)?.get(uid);
    if (wish !== undefined) this.#volumes.get(volume.uniqueName)?.set(uid, { ...wish, volume });
  }

  /** By uid, in the order in which the pods came. */
  wishes(uniqueName: string): ReadonlyMap<string, Wish> {
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

const NONE: ReadonlyMap<string, Wish> = new Map();
