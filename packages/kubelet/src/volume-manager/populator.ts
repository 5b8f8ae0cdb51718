import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import type { DesiredState } from './desired-state.ts';
import { describeFailure } from './errors.ts';
import { OperationBackoff } from './operation-backoff.ts';
import { type NodeUse, volumesWithWork, wantedVolume } from './pod-volumes.ts';
import type { WantedVolume } from './volume.ts';
import type { VolumeEvents } from './volume-events.ts';
import type { VolumeObjects } from './volume-objects.ts';

export interface PopulatorOptions {
  readonly desired: DesiredState;
  readonly objects: VolumeObjects;
  readonly events: VolumeEvents;
  readonly clock: Clock;
  readonly use: NodeUse;
  /** Something about these volumes is new. */
  readonly onChange: (uniqueNames: ReadonlySet<string>) => void;
}

interface Processed {
  /** What the pod calls its volumes that need work. */
  readonly names: readonly string[];
  /** Of those, the ones that cannot be understood yet. */
  readonly failed: readonly string[];
}

/** A claim that is not bound yet soon is. */
const MAX_WAIT_MS = 10_000;
const NOTHING: Processed = { names: [], failed: [] };

/** Finds out what pods want, and keeps it in the desired state. */
export class Populator {
  readonly #options: PopulatorOptions;
  readonly #backoff: OperationBackoff;
  readonly #processed = new Map<string, Processed>();

  constructor(options: PopulatorOptions) {
    this.#options = options;
    this.#backoff = new OperationBackoff(options.clock, MAX_WAIT_MS);
  }

  processed(uid: string): Processed {
    return this.#processed.get(uid) ?? NOTHING;
  }

  forget(uid: string): void {
    this.#processed.delete(uid);
    this.#backoff.succeeded(uid);
  }

  /** @returns when to come again, in milliseconds from now; undefined: all is known */
  async process(pod: Cached<Pod>, signal: AbortSignal): Promise<number | undefined> {
    const { desired, objects, events, use, onChange } = this.#options;
    const uid = pod.metadata.uid;
    const before = this.#processed.get(uid);
    const needed = volumesWithWork(pod, use);
    if (needed.length === 0 && before === undefined) return undefined;
    // Ephemeral containers may want more, later.
    if (before?.failed.length === 0 && before.names.length === needed.length) return undefined;
    const waitMs = this.#backoff.waitMs(uid);
    if (waitMs > 0) return waitMs;
    const wanted: WantedVolume[] = [];
    const failed: string[] = [];
    const reasons: string[] = [];
    for (const volume of needed) {
      try {
        wanted.push(await wantedVolume(pod, volume, objects, signal));
      } catch (error) {
        if (signal.aborted) throw error;
        failed.push(volume.name);
        // What it has is not taken away because somebody cannot be asked now.
        wanted.push(...desired.volumesOf(uid).filter(({ name }) => name === volume.name));
        reasons.push(describeFailure(error));
      }
    }
    const names = needed.map(({ name }) => name);
    this.#processed.set(uid, { names, failed });
    onChange(desired.set(pod, wanted));
    if (failed.length === 0) {
      this.#backoff.succeeded(uid);
      return undefined;
    }
    this.#backoff.failed(uid);
    events.waiting(pod, names, failed, reasons.join('; '));
    return this.#backoff.waitMs(uid);
  }
}
