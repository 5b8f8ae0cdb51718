import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import { isEnding } from './next-step.ts';
import type { PodRecord } from './pod-record.ts';

/** What a pod needs of its node's volumes. */
export interface PodVolumes {
  /** @returns when to look again, in milliseconds from now; undefined: when something happens */
  syncPod(pod: Cached<Pod>, signal: AbortSignal): Promise<number | undefined>;
  stateOf(uid: string): { readonly unmounted: readonly string[]; readonly failed: readonly string[] };
  /** @returns whether none of them is mounted any more */
  release(uid: string): boolean;
  /** Where they are on the machine, by the name that the pod gives them. */
  directoriesOf(uid: string): ReadonlyMap<string, string>;
  /** Tells people that the pod still waits. */
  waitsLong(pod: Cached<Pod>): void;
}

/** People are told that a pod waits for its volumes after so long, and again each time that it has passed. */
export const VOLUMES_WAIT_MS = 123_000;

/** Asks for the volumes of one pod, and tells people when they take long. */
export class VolumeWait {
  readonly #volumes: PodVolumes;
  readonly #clock: Clock;
  /** Since when the pod waits, or since people were told last, on the monotonic clock; undefined: it does not wait. */
  #since: number | undefined = undefined;

  constructor(volumes: PodVolumes, clock: Clock) {
    this.#volumes = volumes;
    this.#clock = clock;
  }

  /**
   * Notes in the record whether all volumes are mounted.
   * @returns when to look again, in milliseconds from now; Infinity: when something happens
   */
  async sync(pod: Cached<Pod>, record: PodRecord, signal: AbortSignal): Promise<number> {
    // A pod that ends mounts nothing any more; what it has stays until its containers have ended.
    if (isEnding(pod, record)) return Number.POSITIVE_INFINITY;
    const againMs = (await this.#volumes.syncPod(pod, signal)) ?? Number.POSITIVE_INFINITY;
    record.areVolumesMounted = this.#volumes.stateOf(record.uid).unmounted.length === 0;
    if (record.areVolumesMounted) {
      this.#since = undefined;
      return againMs;
    }
    const now = this.#clock.monotonic();
    this.#since ??= now;
    if (now - this.#since >= VOLUMES_WAIT_MS) {
      this.#volumes.waitsLong(pod);
      this.#since = now;
    }
    return Math.min(againMs, this.#since + VOLUMES_WAIT_MS - now);
  }
}
