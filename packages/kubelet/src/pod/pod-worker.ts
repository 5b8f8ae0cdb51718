import type { Cached } from '@windlass/apimachinery';
import { compareResourceVersions, deepEqual } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock, Logger } from '@windlass/base';
import type { Manager } from '@windlass/runtime';
import type { EnvironmentObjects } from '../environment/container-environment.ts';
import type { PodAddresses } from '../node/pod-addresses.ts';
import type { ContainerRuntime } from '../runtime/runtime.ts';
import { ClaimWait } from './claim-wait.ts';
import { grantResizes } from './grant-resizes.ts';
import { isEnding, nextStep, podGraceMs, type Step } from './next-step.ts';
import { PodAddress } from './pod-address.ts';
import { PodContainers } from './pod-containers.ts';
import type { PodEvents } from './pod-events.ts';
import { addNewContainers, newPodRecord, type PodRecord } from './pod-record.ts';
import { PodWriter } from './pod-writer.ts';
import { forgetSteadyOutcomes } from './probes.ts';
import type { ResizePending } from './resize.ts';
import { type PodVolumes, VolumeWait } from './volume-wait.ts';

export interface PodWorkerOptions {
  readonly manager: Manager;
  readonly runtime: ContainerRuntime;
  readonly events: PodEvents;
  readonly logger: Logger;
  readonly hostIP: string;
  /** Of the node's range; undefined gives each pod the node's own. */
  readonly addresses: PodAddresses | undefined;
  readonly volumes: PodVolumes;
  readonly objects: EnvironmentObjects;
  /** Whether the node can give the pod what it asks for now; undefined: it can. */
  readonly admitResize: (pod: Cached<Pod>) => ResizePending | undefined;
  /** Something of it has changed: run again. */
  readonly wake: (why: string) => void;
}

/** A pod of which so many steps are taken in one run lets others go first. */
const STEPS_A_RUN = 100;

/** One pod on one node: takes one step after the other, and tells the server what came of it. */
export class PodWorker {
  readonly record: PodRecord;
  readonly #options: PodWorkerOptions;
  readonly #clock: Clock;
  readonly #containers: PodContainers;
  readonly #address: PodAddress;
  readonly #volumeWait: VolumeWait;
  readonly #claimWait: ClaimWait;
  readonly #writer: PodWriter;
  #pod: Cached<Pod>;
  #isRestored = false;
  #isAbandoned = false;

  constructor(pod: Cached<Pod>, key: string, options: PodWorkerOptions) {
    const { manager, runtime, events, logger, objects, volumes, addresses, hostIP } = options;
    const { clock, client } = manager;
    this.#options = options;
    this.#clock = clock;
    this.#pod = pod;
    this.record = newPodRecord(pod, key, clock.now());
    this.#address = new PodAddress(addresses, hostIP);
    this.#address.adopt(pod);
    this.#volumeWait = new VolumeWait(volumes, clock);
    this.#claimWait = new ClaimWait(client, events);
    this.#writer = new PodWriter({ client, clock, hostIP });
    this.#containers = new PodContainers(this.record, {
      runtime,
      events,
      logger,
      clock,
      objects,
      hostIP,
      pod: () => this.#pod,
      volumes: () => volumes.directoriesOf(this.record.uid),
      address: () => this.#address.allocate(this.#pod),
      onPulled: (container) => options.wake(`image of ${container}`),
      onEnded: (container) => this.#containerEnded(container),
      onProbed: (container) => options.wake(`probe of ${container}`),
    });
  }

  get pod(): Cached<Pod> {
    return this.#pod;
  }

  /** Makes it end, whatever its containers do. */
  end(forced: NonNullable<PodRecord['forcedEnd']>): void {
    if (this.record.forcedEnd !== undefined || isEnding(this.#pod, this.record)) return;
    this.record.forcedEnd = forced;
    this.#options.events.ended(this.#pod, forced.reason, forced.message);
  }

  /** The program of a container has ended by itself. */
  finish(container: string, exitCode: number): void {
    const phase = this.record.containers.get(container)?.phase;
    if (phase?.kind === 'running') phase.container.finish?.(exitCode);
  }

  /** @returns when to come again, in milliseconds from now; undefined: when something happens */
  async sync(pod: Cached<Pod>, signal: AbortSignal): Promise<number | undefined> {
    const { record } = this;
    this.#observe(pod);
    if (!this.#isRestored) {
      await this.#containers.restore();
      this.#isRestored = true;
    }
    this.#grantResizes();
    const preparedAgainMs = Math.min(
      await this.#volumeWait.sync(pod, record, signal),
      await this.#claimWait.sync(pod, record, signal),
    );
    for (let steps = 0; steps < STEPS_A_RUN; steps++) {
      const step = nextStep(pod, record, this.#clock.now());
      if (step.do === 'wait') {
        await this.#writer.writeStatus(pod, record, signal);
        const againMs = Math.min(step.until - this.#clock.now(), preparedAgainMs);
        return Number.isFinite(againMs) ? Math.max(1, againMs) : undefined;
      }
      if (step.do === 'finish') {
        await this.#finish(signal);
        return undefined;
      }
      await this.#take(step);
    }
    await this.#writer.writeStatus(pod, record, signal);
    return 1;
  }

  /** The pod is gone from the server: nothing of it may stay. Its volumes go when its containers have ended. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#address.release();
    this.#containers.kill();
    this.#releaseVolumesIfEnded();
    this.#removeFromRuntime();
  }

  /** Takes in what the server says of the pod. */
  #observe(pod: Cached<Pod>): void {
    const { record } = this;
    // Steady outcomes hold until somebody steers the pod anew.
    if (!deepEqual(pod.metadata?.annotations ?? null, this.#pod.metadata?.annotations ?? null))
      for (const container of record.containers.values()) forgetSteadyOutcomes(container, this.#clock.now());
    this.#pod = pod;
    addNewContainers(pod, record);
    // What somebody else has written since our own last word is what the next word is compared with.
    const version = pod.metadata.resourceVersion;
    if (version !== undefined && isNewer(version, record.writtenVersion)) {
      record.written = pod.status ?? {};
      record.writtenVersion = version;
    }
  }

  #grantResizes(): void {
    const { admitResize: admit, events } = this.#options;
    grantResizes(this.#pod, this.record, {
      admit,
      events,
      stop: (container) => this.#containers.stop(container, podGraceMs(this.#pod)),
    });
  }

  async #take(step: Exclude<Step, { do: 'wait' | 'finish' }>): Promise<void> {
    if (step.do === 'initialized') this.record.isInitialized = true;
    else if (step.do === 'deadline')
      this.end({
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
        graceMs: podGraceMs(this.#pod),
      });
    else await this.#containers.take(step);
  }

  /** The last word on a pod that has ended; one that is being deleted may then go. */
  async #finish(signal: AbortSignal): Promise<void> {
    this.#containers.close();
    await this.#options.runtime.pods?.end(this.record.uid);
    await this.#writer.writeStatus(this.#pod, this.record, signal);
    this.#address.release();
    // Whoever sees it gone may take its volumes elsewhere.
    if (this.#options.volumes.release(this.record.uid)) await this.#writer.remove(this.#pod, signal);
  }

  #containerEnded(container: string): void {
    if (this.#isAbandoned) this.#releaseVolumesIfEnded();
    else this.#options.wake(`${container} has ended`);
  }

  #removeFromRuntime(): void {
    const { runtime, logger } = this.#options;
    const { uid } = this.record;
    runtime.pods?.remove(uid).catch((error: unknown) => {
      logger.warn('what is left of a pod could not be removed from the runtime; it is tried again', {
        uid,
        error,
      });
    });
  }

  #releaseVolumesIfEnded(): void {
    if (!this.#containers.areRunning) this.#options.volumes.release(this.record.uid);
  }
}

function isNewer(version: string, than: string | undefined): boolean {
  return than === undefined || compareResourceVersions(version, than) > 0;
}
