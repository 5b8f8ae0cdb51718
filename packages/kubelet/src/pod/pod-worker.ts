import type { DeepReadonly } from '@windlass/apimachinery';
import { compareResourceVersions, deepEqual, isConflict, isNotFound } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { type Clock, isCancelled, type Logger } from '@windlass/base';
import type { Manager } from '@windlass/runtime';
import type { PodAddresses } from '../node/pod-addresses.ts';
import {
  type ContainerRequest,
  type ContainerRuntime,
  ImageError,
  type ProbeKind,
} from '../runtime/runtime.ts';
import {
  backsOff,
  exited,
  lacksConfig,
  lost,
  pullBacksOff,
  pullEnded,
  pullFailed,
  running,
  started,
} from './container-changes.ts';
import { type EnvironmentObjects, environmentProblem } from './container-environment.ts';
import { isEnding, nextStep, podGraceMs, type Step } from './next-step.ts';
import type { PodEvents } from './pod-events.ts';
import {
  addNewContainers,
  type ContainerRecord,
  newPodRecord,
  type PodRecord,
  rolesOf,
} from './pod-record.ts';
import { podStatus, statusPatch } from './pod-status.ts';
import { countOutcome, probeSpec } from './probes.ts';
import { needsRestart, type ResizePending, wantedResizes } from './resize.ts';
import { restoreRecord } from './restore-record.ts';

/** What a pod needs of its node's volumes. */
export interface PodVolumes {
  syncPod(pod: DeepReadonly<Pod>, signal: AbortSignal): Promise<number | undefined>;
  stateOf(uid: string): { readonly unmounted: readonly string[]; readonly failed: readonly string[] };
  release(uid: string): boolean;
  waitsLong(pod: DeepReadonly<Pod>): void;
}

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
  readonly admitResize: (pod: DeepReadonly<Pod>) => ResizePending | undefined;
  /** Something of it has changed: run again. */
  readonly wake: (why: string) => void;
}

/** A pod of which so many steps are taken in one run lets others go first. */
const STEPS_A_RUN = 100;

/** People are told that a pod waits for its volumes after so long, and again each time that it has passed. */
const VOLUMES_WAIT_MS = 123_000;

/** One pod on one node: takes one step after the other, and tells the server what came of it. */
export class PodWorker {
  readonly record: PodRecord;
  readonly #options: PodWorkerOptions;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  #pod: DeepReadonly<Pod>;
  #isRestored = false;
  #isAbandoned = false;
  /** Since when it waits for its volumes, on the monotonic clock; undefined: it does not. */
  #waitsSince: number | undefined = undefined;
  /** Its own of the node's range, as long as it may run. */
  #address: string | undefined = undefined;

  constructor(pod: DeepReadonly<Pod>, key: string, options: PodWorkerOptions) {
    this.#options = options;
    this.#clock = options.manager.clock;
    this.#pod = pod;
    this.record = newPodRecord(pod, key, this.#clock.now());
    // It may have one from an agent before this one; nobody else may get it.
    const { podIP } = pod.status ?? {};
    if (podIP !== undefined && pod.spec?.hostNetwork !== true) this.#hold(podIP);
  }

  get pod(): DeepReadonly<Pod> {
    return this.#pod;
  }

  /** Makes it end, whatever its containers do. */
  end(forced: NonNullable<PodRecord['forcedEnd']>): void {
    if (this.record.forcedEnd !== undefined || isEnding(this.#pod, this.record)) return;
    this.record.forcedEnd = forced;
    this.#options.events.ended(this.#pod, forced.reason, forced.message);
  }

  /** @returns when to come again, in milliseconds from now; undefined: when something happens */
  async sync(pod: DeepReadonly<Pod>, signal: AbortSignal): Promise<number | undefined> {
    const { record } = this;
    // Steady outcomes hold until somebody steers the pod anew.
    if (!deepEqual(pod.metadata?.annotations ?? null, this.#pod.metadata?.annotations ?? null))
      for (const { probes } of record.containers.values()) forgetSteady(probes, this.#clock.now());
    this.#pod = pod;
    addNewContainers(pod, record);
    // What somebody else has written since our own last word is what the next word is compared with.
    const version = pod.metadata?.resourceVersion;
    if (version !== undefined && isNewer(version, record.writtenVersion)) {
      record.written = pod.status ?? {};
      record.writtenVersion = version;
    }
    if (!this.#isRestored) {
      await this.#restore();
      this.#isRestored = true;
    }
    this.#resize();
    const volumesAgainMs = await this.#syncVolumes(signal);
    for (let steps = 0; steps < STEPS_A_RUN; steps++) {
      const step = nextStep(pod, record, this.#clock.now());
      if (step.do === 'wait') {
        await this.#writeStatus(signal);
        const againMs = Math.min(step.until - this.#clock.now(), volumesAgainMs);
        return Number.isFinite(againMs) ? Math.max(1, againMs) : undefined;
      }
      if (step.do === 'finish') {
        await this.#finish(signal);
        return undefined;
      }
      await this.#take(step);
    }
    await this.#writeStatus(signal);
    return 1;
  }

  /** The pod is gone from the server: nothing of it may stay. Its volumes go when its containers have ended. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#stopping.abort();
    this.#letGo();
    for (const { phase } of this.record.containers.values())
      if (phase.kind === 'running') phase.container.stop(0);
    this.#releaseIfEnded();
  }

  #releaseIfEnded(): void {
    if (!this.#isAbandoned) return;
    for (const { phase } of this.record.containers.values()) if (phase.kind === 'running') return;
    this.#options.volumes.release(this.record.uid);
  }

  /** Grants what its author wants, if the node has it: all or nothing. */
  #resize(): void {
    const { record } = this;
    if (isEnding(this.#pod, record)) return;
    const wanted = wantedResizes(this.#pod, record);
    const { events, admitResize } = this.#options;
    const before = record.resizePending;
    record.resizePending = wanted.length === 0 ? undefined : admitResize(this.#pod);
    const { resizePending } = record;
    if (resizePending !== undefined) {
      if (before?.reason !== resizePending.reason)
        events.notResized(this.#pod, resizePending.reason, resizePending.message);
      return;
    }
    if (wanted.length === 0) return;
    for (const { spec, record: container } of wanted) {
      container.allocated = spec.resources ?? {};
      if (container.phase.kind === 'running' && needsRestart(spec, container.actual, container.allocated)) {
        events.killing(this.#pod, container.name);
        this.#stop(container, podGraceMs(this.#pod));
      } else {
        container.actual = container.allocated;
      }
    }
    events.resized(this.#pod);
  }

  /** @returns when to look again, in milliseconds from now; Infinity: when something happens */
  async #syncVolumes(signal: AbortSignal): Promise<number> {
    const { record } = this;
    const { volumes } = this.#options;
    // Who ends mounts nothing any more; what it has stays until its containers have ended.
    if (isEnding(this.#pod, record)) return Number.POSITIVE_INFINITY;
    const againMs = (await volumes.syncPod(this.#pod, signal)) ?? Number.POSITIVE_INFINITY;
    record.areVolumesMounted = volumes.stateOf(record.uid).unmounted.length === 0;
    if (record.areVolumesMounted) {
      this.#waitsSince = undefined;
      return againMs;
    }
    const now = this.#clock.monotonic();
    this.#waitsSince ??= now;
    if (now - this.#waitsSince >= VOLUMES_WAIT_MS) {
      volumes.waitsLong(this.#pod);
      this.#waitsSince = now;
    }
    return Math.min(againMs, this.#waitsSince + VOLUMES_WAIT_MS - now);
  }

  #allocate(): string {
    const { addresses, hostIP } = this.#options;
    if (addresses === undefined || this.#pod.spec?.hostNetwork === true) return hostIP;
    this.#address = addresses.allocate();
    return this.#address;
  }

  #hold(address: string): void {
    this.#options.addresses?.keep(address);
    this.#address = address;
  }

  /** A pod that has ended shows its address still, but others may have it. */
  #letGo(): void {
    if (this.#address !== undefined) this.#options.addresses?.release(this.#address);
    this.#address = undefined;
  }

  async #restore(): Promise<void> {
    const { runtime } = this.#options;
    for (const { record, id, startedAt } of restoreRecord(this.#pod, this.record)) {
      const request = this.#request(record);
      if (request === undefined) continue;
      const { isReady, isStarted } = record;
      const container = await runtime.attach(request, { id, startedAt }, (exit) =>
        this.#exited(record, id, exit),
      );
      if (container === undefined) {
        lost(record, { id, startedAt }, this.#clock.now());
        continue;
      }
      running(record, request.container, container);
      // Until probes say otherwise it is what it was.
      record.isStarted ||= isStarted;
      record.isReady ||= isReady;
    }
  }

  async #take(step: Exclude<Step, { do: 'wait' | 'finish' }>): Promise<void> {
    const { record } = this;
    if (step.do === 'initialized') {
      record.isInitialized = true;
      return;
    }
    if (step.do === 'deadline') {
      this.end({
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
        graceMs: podGraceMs(this.#pod),
      });
      return;
    }
    const container = record.containers.get(step.container);
    const request = container === undefined ? undefined : this.#request(container);
    if (container === undefined || request === undefined) return;
    switch (step.do) {
      case 'pull':
        this.#pull(container, request);
        return;
      case 'pullBackOff':
        pullBacksOff(container, request.container);
        this.#options.events.pullBackOff(this.#pod, container.name, request.container.image ?? '');
        return;
      case 'start':
        await this.#start(container, request);
        return;
      case 'backOff':
        backsOff(container, this.#pod, step.delayMs);
        this.#options.events.backOff(this.#pod, container.name);
        return;
      case 'stop':
        this.#options.events.killing(this.#pod, container.name);
        this.#stop(container, step.graceMs);
        return;
      case 'probe':
        await this.#probe(container, request, step.kind);
        return;
      default:
        step satisfies never;
    }
  }

  #pull(record: ContainerRecord, request: ContainerRequest): void {
    const { runtime, events, wake, logger } = this.#options;
    const { name } = record;
    const image = request.container.image ?? '';
    const failedBefore = record.pull?.kind === 'failed' ? record.pull : undefined;
    const startedAt = this.#clock.monotonic();
    record.pull = { kind: 'pulling' };
    const pulled = async (): Promise<void> => {
      try {
        const onPulling = (): void => events.pulling(this.#pod, name, image);
        const found = await runtime.pull(request, onPulling, this.#stopping.signal);
        pullEnded(record, found);
        events.pulled(this.#pod, name, image, found, this.#clock.monotonic() - startedAt);
      } catch (error) {
        if (isCancelled(error)) return;
        const failure = error instanceof ImageError ? error : new ImageError('ErrImagePull', String(error));
        record.pull = failedBefore;
        pullFailed(record, request.container, failure, this.#clock.now());
        events.pullFailed(this.#pod, name, image, failure.reason, failure.message);
        logger.debug('an image cannot be pulled', { container: name, error: failure });
      }
      wake(`image of ${name}`);
    };
    void pulled();
  }

  async #start(record: ContainerRecord, request: ContainerRequest): Promise<void> {
    const { runtime, events, objects } = this.#options;
    this.record.podIP ??= this.#allocate();
    const { signal } = this.#stopping;
    const problem = await environmentProblem(this.#pod, request.container, objects, signal);
    if (problem !== undefined) {
      lacksConfig(record, problem, this.#clock.now());
      events.lacksConfig(this.#pod, record.name, problem);
      return;
    }
    events.created(this.#pod, record.name);
    let id = '';
    const container = await runtime.start(request, (exit) => this.#exited(record, id, exit));
    id = container.id;
    started(record, request.container, container, this.#clock.now());
    events.started(this.#pod, record.name);
  }

  #exited(record: ContainerRecord, id: string, exit: Parameters<typeof exited>[1]): void {
    // One that was replaced meanwhile concerns nobody.
    if (record.phase.kind !== 'running' || record.phase.id !== id) return;
    exited(record, exit, this.#clock.now());
    if (this.#isAbandoned) this.#releaseIfEnded();
    else this.#options.wake(`${record.name} has ended`);
  }

  #stop(record: ContainerRecord, graceMs: number): void {
    const { phase } = record;
    if (phase.kind !== 'running') return;
    record.phase = { ...phase, stopAt: this.#clock.now() + graceMs };
    record.isReady = false;
    phase.container.stop(graceMs);
  }

  async #probe(record: ContainerRecord, request: ContainerRequest, kind: ProbeKind): Promise<void> {
    const { phase } = record;
    if (phase.kind !== 'running') return;
    const { events } = this.#options;
    const outcome = await phase.container.probe(kind, this.#pod);
    if (!outcome.isSuccess) events.unhealthy(this.#pod, record.name, kind, outcome.output ?? '');
    const verdict = countOutcome(request.container, record, kind, outcome, this.#clock.now());
    if (verdict === undefined) return;
    if (kind === 'readiness') {
      record.isReady = verdict === 'passed';
    } else if (verdict === 'failed') {
      events.probeKills(this.#pod, record.name, kind);
      const graceS = probeSpec(request.container, kind)?.terminationGracePeriodSeconds;
      this.#stop(record, graceS === undefined ? podGraceMs(this.#pod) : graceS * 1000);
    } else if (kind === 'startup') {
      record.isStarted = true;
      record.isReady = request.container.readinessProbe === undefined;
    }
  }

  /** The last word on a pod that has ended; one that is being deleted may then go. */
  async #finish(signal: AbortSignal): Promise<void> {
    this.#stopping.abort();
    await this.#writeStatus(signal);
    this.#letGo();
    // Whoever sees it gone may take its volumes elsewhere.
    if (!this.#options.volumes.release(this.record.uid)) return;
    const { name = '', namespace = '', uid, deletionTimestamp } = this.#pod.metadata ?? {};
    if (deletionTimestamp === undefined) return;
    try {
      await this.#options.manager.client
        .resource(Pod)
        .namespace(namespace)
        .delete(name, { gracePeriodSeconds: 0, preconditions: uid === undefined ? {} : { uid }, signal });
    } catch (error) {
      // Gone already, or another pod has its name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #writeStatus(signal: AbortSignal): Promise<void> {
    const { manager, hostIP } = this.#options;
    const { record } = this;
    const status = podStatus(this.#pod, record, { hostIP, now: this.#clock.now() });
    const patch = statusPatch(record.written, status);
    if (patch === undefined) return;
    const { name = '', namespace = '', uid } = this.#pod.metadata ?? {};
    try {
      const written = await manager.client
        .resource(Pod)
        .namespace(namespace)
        .status.patch(name, { metadata: { uid }, status: patch } as object, { type: 'strategic', signal });
      record.written = written.status ?? {};
      record.writtenVersion = written.metadata?.resourceVersion;
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      throw error;
    }
  }

  #request(record: ContainerRecord): ContainerRequest | undefined {
    const found = rolesOf(this.#pod).find(({ spec }) => spec.name === record.name);
    if (found === undefined) return undefined;
    const hasRun = record.phase.kind === 'terminated' || record.last !== undefined;
    return {
      pod: this.#pod,
      container: found.spec,
      isInit: found.role === 'init' || found.role === 'sidecar',
      attempt: record.restartCount + (hasRun ? 1 : 0),
    };
  }
}

function forgetSteady(probes: ContainerRecord['probes'], now: number): void {
  for (const probe of probes.values()) if (!Number.isFinite(probe.nextAt)) probe.nextAt = now;
}

function isNewer(version: string, than: string | undefined): boolean {
  return than === undefined || compareResourceVersions(version, than) > 0;
}
