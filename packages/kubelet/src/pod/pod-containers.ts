import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { type Clock, isCancelled, type Logger } from '@windlass/base';
import { type EnvironmentObjects, environmentProblem } from '../environment/container-environment.ts';
import { environmentValues } from '../environment/environment-values.ts';
import {
  type ContainerRequest,
  type ContainerRuntime,
  ImageError,
  type ProbeKind,
  type ProbeOutcome,
  type PullRequest,
  StartError,
  type StartRequest,
} from '../runtime/runtime.ts';
import {
  backsOff,
  cannotStart,
  exited,
  lost,
  pullBacksOff,
  pullEnded,
  pullFailed,
  running,
  started,
} from './container-changes.ts';
import { podGraceMs, type Step } from './next-step.ts';
import type { PodEvents } from './pod-events.ts';
import { type ContainerRecord, type PodRecord, rolesOf } from './pod-record.ts';
import { beginProbe, countOutcome, probeSpec } from './probes.ts';
import { restoreRecord } from './restore-record.ts';
import { restoreRuns } from './restore-runs.ts';
import { subPathProblem } from './sub-path-expr.ts';

/** The steps that concern one container. */
export type ContainerStep = Extract<Step, { readonly container: string }>;

export interface PodContainersOptions {
  readonly runtime: ContainerRuntime;
  readonly events: PodEvents;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly objects: EnvironmentObjects;
  /** The pod as it is now. */
  readonly pod: () => Cached<Pod>;
  readonly hostIP: string;
  /** Gives the pod its address when the first container starts. */
  readonly address: () => string;
  /** An image is there, or cannot be had. */
  readonly onPulled: (container: string) => void;
  /** A container has ended. */
  readonly onEnded: (container: string) => void;
  /** A container has answered a probe that took its time. */
  readonly onProbed: (container: string) => void;
  /** Where the pod's volumes are on the machine, by the name that the pod gives them. */
  readonly volumes: () => ReadonlyMap<string, string>;
}

/** Runs the containers of one pod, and notes in the record what became of each. */
export class PodContainers {
  readonly #record: PodRecord;
  readonly #options: PodContainersOptions;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();

  constructor(record: PodRecord, options: PodContainersOptions) {
    this.#record = record;
    this.#options = options;
    this.#clock = options.clock;
  }

  get areRunning(): boolean {
    return this.#record.containers.values().some(({ phase }) => phase.kind === 'running');
  }

  /** Finds the containers that an agent before this one has started. */
  async restore(): Promise<void> {
    const { runtime, pod } = this.#options;
    const known = restoreRecord(pod(), this.#record);
    const found = await runtime.pods?.find(pod());
    for (const { record, id, startedAt } of found === undefined
      ? known
      : restoreRuns(this.#record, known, found, this.#clock.now())) {
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

  async take(step: ContainerStep): Promise<void> {
    const { events, pod } = this.#options;
    const container = this.#record.containers.get(step.container);
    const request = container === undefined ? undefined : this.#request(container);
    if (container === undefined || request === undefined) return;
    switch (step.do) {
      case 'pull':
        this.#pull(container, request);
        return;
      case 'pullBackOff':
        pullBacksOff(container, request.container);
        events.pullBackOff(pod(), container.name, request.container.image ?? '');
        return;
      case 'start':
        await this.#start(container, request);
        return;
      case 'backOff':
        backsOff(container, pod(), step.delayMs);
        events.backOff(pod(), container.name);
        return;
      case 'stop':
        events.killing(pod(), container.name);
        this.stop(container, step.graceMs);
        return;
      case 'probe':
        await this.#probe(container, request, step.kind);
        return;
      default:
        step satisfies never;
    }
  }

  stop(record: ContainerRecord, graceMs: number): void {
    const { phase } = record;
    if (phase.kind !== 'running') return;
    record.phase = { ...phase, stopAt: this.#clock.now() + graceMs };
    record.isReady = false;
    phase.container.stop(graceMs);
  }

  /** Ends what is under way, pulls for example. Nothing is started afterwards. */
  close(): void {
    this.#stopping.abort();
  }

  /** Ends every container at once. */
  kill(): void {
    this.close();
    for (const { phase } of this.#record.containers.values())
      if (phase.kind === 'running') phase.container.stop(0);
  }

  #pull(record: ContainerRecord, request: ContainerRequest): void {
    const { runtime, events, objects, pod, onPulled, logger } = this.#options;
    const { name } = record;
    const image = request.container.image ?? '';
    const failedBefore = record.pull?.kind === 'failed' ? record.pull : undefined;
    const startedAt = this.#clock.monotonic();
    record.pull = { kind: 'pulling' };
    const pulled = async (): Promise<void> => {
      try {
        const onPulling = (): void => events.pulling(pod(), name, image);
        const { signal } = this.#stopping;
        const secret: PullRequest['secret'] = (secretName) =>
          objects.secret(pod().metadata.namespace, secretName, signal);
        const found = await runtime.pull({ ...request, secret }, onPulling, signal);
        pullEnded(record, found);
        events.pulled(pod(), name, image, found, this.#clock.monotonic() - startedAt);
      } catch (error) {
        if (isCancelled(error)) return;
        const failure = error instanceof ImageError ? error : new ImageError('ErrImagePull', String(error));
        record.pull = failedBefore;
        pullFailed(record, request.container, failure, this.#clock.now());
        events.pullFailed(pod(), name, image, failure.reason, failure.message);
        logger.debug('an image cannot be pulled', { container: name, error: failure });
      }
      onPulled(name);
    };
    void pulled();
  }

  async #start(record: ContainerRecord, request: ContainerRequest): Promise<void> {
    const { runtime, events, pod } = this.#options;
    try {
      await this.#enterPod();
      const toStart = await this.#startRequest(record, request);
      let id = '';
      const container = await runtime.start(toStart, (exit) => this.#exited(record, id, exit));
      id = container.id;
      started(record, request.container, container, this.#clock.now());
      events.started(pod(), record.name);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      cannotStart(record, error, this.#clock.now());
      events.cannotStart(pod(), record.name, error.reason, error.message);
    }
  }

  /** The pod has an address from then on. */
  async #enterPod(): Promise<void> {
    const { runtime, pod, address } = this.#options;
    const [own] = (await runtime.pods?.ensure(pod(), this.#stopping.signal)) ?? [];
    if (own === undefined) this.#record.podIP ??= address();
    else this.#record.podIP = own;
  }

  /** @throws StartError when the container's spec names what is not there */
  async #startRequest(record: ContainerRecord, request: ContainerRequest): Promise<StartRequest> {
    const { events, objects, pod, volumes } = this.#options;
    const { signal } = this.#stopping;
    const environment = (): Promise<ReadonlyMap<string, string>> =>
      environmentValues(request.pod, request.container, {
        objects,
        podIP: this.#record.podIP ?? '',
        hostIP: pod().status?.hostIP ?? this.#options.hostIP,
        signal,
      });
    const problem =
      (await environmentProblem(pod(), request.container, objects, signal)) ??
      (await mountProblem(request, environment));
    if (problem !== undefined) throw new StartError('CreateContainerConfigError', problem);
    const image = record.image ?? { image: '', imageID: '', sizeBytes: 0, wasPresent: true };
    return {
      ...request,
      image,
      environment,
      volumes,
      signal,
      onCreated: () => events.created(pod(), record.name),
      onHookFailed: (hook, message) => events.hookFailed(pod(), record.name, hook, message),
    };
  }

  #exited(record: ContainerRecord, id: string, exit: Parameters<typeof exited>[1]): void {
    // A container that was replaced meanwhile concerns nobody.
    if (record.phase.kind !== 'running' || record.phase.id !== id) return;
    exited(record, exit, this.#clock.now());
    this.#options.onEnded(record.name);
  }

  async #probe(record: ContainerRecord, request: ContainerRequest, kind: ProbeKind): Promise<void> {
    const { phase } = record;
    if (phase.kind !== 'running') return;
    const { runtime, onProbed, pod } = this.#options;
    const asked = phase.container.probe(kind, pod());
    if (runtime.areProbesSlow !== true) return this.#probed(record, request, kind, await asked);
    beginProbe(record, kind);
    const answered = async (): Promise<void> => {
      const outcome = await asked;
      // It may have ended meanwhile, and may even run anew.
      const { phase: now } = record;
      if (now.kind !== 'running' || now.id !== phase.id || now.stopAt !== undefined) return;
      this.#probed(record, request, kind, outcome);
      onProbed(record.name);
    };
    void answered();
  }

  #probed(record: ContainerRecord, request: ContainerRequest, kind: ProbeKind, outcome: ProbeOutcome): void {
    const { events, pod } = this.#options;
    if (!outcome.isSuccess) events.unhealthy(pod(), record.name, kind, outcome.output ?? '');
    const verdict = countOutcome(request.container, record, kind, outcome, this.#clock.now());
    if (verdict === undefined) return;
    if (kind === 'readiness') {
      record.isReady = verdict === 'passed';
    } else if (verdict === 'failed') {
      events.probeKills(pod(), record.name, kind);
      const graceS = probeSpec(request.container, kind)?.terminationGracePeriodSeconds;
      this.stop(record, graceS === undefined ? podGraceMs(pod()) : graceS * 1000);
    } else if (kind === 'startup') {
      record.isStarted = true;
      record.isReady = request.container.readinessProbe === undefined;
    }
  }

  #request(record: ContainerRecord): ContainerRequest | undefined {
    const pod = this.#options.pod();
    const found = rolesOf(pod).find(({ spec }) => spec.name === record.name);
    if (found === undefined) return undefined;
    const hasRun = record.phase.kind === 'terminated' || record.last !== undefined;
    return {
      pod,
      container: found.spec,
      isInit: found.role === 'init' || found.role === 'sidecar',
      attempt: record.restartCount + (hasRun ? 1 : 0),
    };
  }
}

/** Why the container's volumes cannot be mounted where it wants them; undefined: they can. */
async function mountProblem(
  { container }: ContainerRequest,
  environment: () => Promise<ReadonlyMap<string, string>>,
): Promise<string | undefined> {
  const hasExpression = (container.volumeMounts ?? []).some(({ subPathExpr }) => (subPathExpr ?? '') !== '');
  return hasExpression ? subPathProblem(container, await environment()) : undefined;
}
