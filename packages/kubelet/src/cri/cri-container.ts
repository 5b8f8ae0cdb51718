import { totalmem } from 'node:os';
import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type {
  Container,
  LifecycleHandler,
  Pod,
  ResourceRequirements,
} from '@windlass/apimachinery/api/core/v1';
import { type Clock, type Logger, sleep, withDeadline } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import type { ProbeKind, ProbeOutcome, RunningContainer } from '../runtime/runtime.ts';
import { type Checked, runHook, runProbe } from './checks/run-check.ts';
import { containerResources } from './config/resources.ts';
import type { CriClient } from './cri-client.ts';

export interface CriContainerOptions {
  readonly client: CriClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** As the runtime has it. */
  readonly id: string;
  readonly startedAt: number;
  readonly pod: Cached<Pod>;
  readonly container: DeepReadonly<Container>;
  /** The pod's address, or the node's for a pod in its network. */
  readonly address: () => Promise<string>;
  /** Gives the pod as a whole its limits again. */
  readonly limitPod: (pod: Cached<Pod>) => Promise<void>;
  /** Looks whether it has ended. */
  readonly look: () => Promise<void>;
  readonly onHookFailed: (hook: 'PreStop', message: string) => void;
}

/** With the runtime's name before it. */
export const ID_SCHEME = 'containerd://';
const LEAST_GRACE_MS = 2000;
const SAME_MS = 500;
/** The runtime ends a container by force after its grace, and may be slow about it. */
const STOP_MS = 120_000;
const RETRY_MS = 2000;

/** A container that runs in a container runtime. */
export class CriContainer implements RunningContainer {
  readonly id: string;
  readonly startedAt: number;
  readonly #options: CriContainerOptions;
  readonly #ended = new AbortController();
  #hook: AbortController | undefined;
  /** On the monotonic clock; it is only ever brought forward. */
  #deadline = Number.POSITIVE_INFINITY;
  /** What is left for the program when the hook has taken all of the grace. */
  #leastGraceMs = 0;

  constructor(options: CriContainerOptions) {
    this.#options = options;
    this.id = `${ID_SCHEME}${options.id}`;
    this.startedAt = options.startedAt;
  }

  stop(graceMs: number): void {
    const deadline = this.#options.clock.monotonic() + graceMs;
    // Who says the same again a moment later means no less.
    if (deadline > this.#deadline - SAME_MS) return;
    const isFirst = this.#deadline === Number.POSITIVE_INFINITY;
    this.#deadline = deadline;
    this.#leastGraceMs = Math.min(this.#leastGraceMs, graceMs);
    if (isFirst) void this.#stop(graceMs);
    // The hook of the first call is still under way: it gets no more time than the container.
    else if (this.#hook !== undefined) this.#limitHook(graceMs);
    else void this.#end();
  }

  resize(resources: DeepReadonly<ResourceRequirements>, pod: Cached<Pod>): void {
    void this.#resize(resources, pod);
  }

  async #resize(resources: DeepReadonly<ResourceRequirements>, pod: Cached<Pod>): Promise<void> {
    const { client, id, logger, limitPod } = this.#options;
    try {
      // What the pod as a whole may take has to leave room for it first.
      await limitPod(pod);
      await client.updateContainerResources({
        containerId: id,
        linux: containerResources(resources, pod, totalmem()),
      });
    } catch (error) {
      logger.warn('a container does not get the resources that it is to have', { container: id, error });
    }
  }

  async probe(kind: ProbeKind, pod: Cached<Pod>): Promise<ProbeOutcome> {
    const { startupProbe, readinessProbe, livenessProbe } = this.#options.container;
    const probe = { startup: startupProbe, readiness: readinessProbe, liveness: livenessProbe }[kind] ?? {};
    try {
      return await runProbe(await this.#checked(pod), probe);
    } catch (error) {
      return { isSuccess: false, output: `the container cannot be asked: ${String(error)}` };
    }
  }

  /** As the runtime calls it. */
  get runtimeId(): string {
    return this.#options.id;
  }

  /** It has ended: nobody needs to stop it any more. */
  ended(): void {
    this.#ended.abort();
    this.#hook?.abort();
  }

  async #checked(pod: Cached<Pod>): Promise<Checked> {
    const { client, clock, id, container, address } = this.#options;
    return { client, clock, id, pod, container, address: await address() };
  }

  async #stop(graceMs: number): Promise<void> {
    await this.#runPreStop(graceMs);
    await this.#end();
  }

  #limitHook(graceMs: number): void {
    const hook = this.#hook;
    this.#options.clock.setTimeout(() => hook?.abort(), graceMs, { keepAlive: false });
  }

  async #runPreStop(graceMs: number): Promise<void> {
    const { clock, container, onHookFailed } = this.#options;
    const { preStop } = container.lifecycle ?? {};
    if (preStop === undefined || graceMs === 0) return;
    this.#hook = new AbortController();
    this.#leastGraceMs = Math.min(graceMs, LEAST_GRACE_MS);
    using deadline = withDeadline(clock, graceMs, 'the preStop hook', this.#hook.signal);
    const problem = await this.#hookProblem(preStop, deadline.signal);
    if (problem !== undefined && !this.#hook.signal.aborted) onHookFailed('PreStop', problem);
    this.#hook = undefined;
  }

  /** Runs what is to be done after its start. @returns what went wrong; undefined: nothing */
  async runPostStart(signal: AbortSignal): Promise<string | undefined> {
    const { postStart } = this.#options.container.lifecycle ?? {};
    return postStart === undefined ? undefined : this.#hookProblem(postStart, signal);
  }

  async #hookProblem(hook: DeepReadonly<LifecycleHandler>, signal: AbortSignal): Promise<string | undefined> {
    try {
      return await runHook(await this.#checked(this.#options.pod), hook, signal);
    } catch (error) {
      return `the lifecycle hook could not run: ${String(error)}`;
    }
  }

  /** Until it has ended: a runtime that does not answer now may do so later. */
  async #end(): Promise<void> {
    const { client, clock, logger, id, look } = this.#options;
    const { signal } = this.#ended;
    const deadline = this.#deadline;
    while (!signal.aborted && deadline === this.#deadline) {
      const graceMs = Math.max(deadline - clock.monotonic(), this.#leastGraceMs);
      try {
        const timeout = Math.ceil(graceMs / 1000);
        await client.stopContainer({ containerId: id, timeout }, { timeoutMs: graceMs + STOP_MS, signal });
        await look();
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof GrpcError && error.code === 'NOT_FOUND') return await look();
        logger.warn('a container could not be stopped; it is tried again', { container: id, error });
        await sleep(clock, RETRY_MS, signal).catch(() => {});
      }
    }
  }
}
