import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';
import { type Clock, type Logger, sleep, withDeadline } from '@windlass/base';
import { GrpcError } from '@windlass/csi/grpc';
import type { ProbeKind, ProbeOutcome, RunningContainer } from '../runtime/runtime.ts';
import { type Checked, runHook, runProbe } from './checks/run-check.ts';
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
  /** Looks whether it has ended. */
  readonly look: () => Promise<void>;
  readonly onHookFailed: (hook: 'PreStop', message: string) => void;
}

/** With the runtime's name before it. */
export const ID_SCHEME = 'containerd://';
/** What is left for the container itself when the hook has taken all of the grace. */
const LEAST_GRACE_MS = 2000;
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
  #graceMs = Number.POSITIVE_INFINITY;

  constructor(options: CriContainerOptions) {
    this.#options = options;
    this.id = `${ID_SCHEME}${options.id}`;
    this.startedAt = options.startedAt;
  }

  stop(graceMs: number): void {
    if (graceMs >= this.#graceMs) return;
    const isFirst = this.#graceMs === Number.POSITIVE_INFINITY;
    this.#graceMs = graceMs;
    if (isFirst) void this.#stop(graceMs);
    // The hook of the first call is still under way: it gets no more time than the container.
    else if (this.#hook !== undefined) this.#hook.abort();
    else void this.#end(graceMs);
  }

  probe(kind: ProbeKind, pod: Cached<Pod>): Promise<ProbeOutcome> {
    const { startupProbe, readinessProbe, livenessProbe } = this.#options.container;
    const probe = { startup: startupProbe, readiness: readinessProbe, liveness: livenessProbe }[kind] ?? {};
    return runProbe(this.#checked(pod), probe);
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

  #checked(pod: Cached<Pod>): Checked {
    const { client, clock, id, container } = this.#options;
    return { client, clock, id, pod, container };
  }

  async #stop(graceMs: number): Promise<void> {
    const { clock } = this.#options;
    const began = clock.monotonic();
    await this.#runPreStop(graceMs);
    const leftMs = this.#graceMs - (clock.monotonic() - began);
    await this.#end(this.#graceMs === 0 ? 0 : Math.max(leftMs, Math.min(this.#graceMs, LEAST_GRACE_MS)));
  }

  async #runPreStop(graceMs: number): Promise<void> {
    const { clock, container, pod, onHookFailed } = this.#options;
    const { preStop } = container.lifecycle ?? {};
    if (preStop === undefined || graceMs === 0) return;
    this.#hook = new AbortController();
    using deadline = withDeadline(clock, graceMs, 'the preStop hook', this.#hook.signal);
    const problem = await runHook(this.#checked(pod), preStop, deadline.signal);
    if (problem !== undefined && !this.#hook.signal.aborted) onHookFailed('PreStop', problem);
    this.#hook = undefined;
  }

  /** Until it has ended: a runtime that does not answer now may do so later. */
  async #end(graceMs: number): Promise<void> {
    const { client, clock, logger, id, look } = this.#options;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        const timeout = Math.ceil(graceMs / 1000);
        await client.stopContainer({ containerId: id, timeout }, { timeoutMs: graceMs + STOP_MS, signal });
        await look();
        return;
      } catch (error) {
        if (signal.aborted || this.#graceMs < graceMs) return;
        if (error instanceof GrpcError && error.code === 'NOT_FOUND') return await look();
        logger.warn('a container could not be stopped; it is tried again', { container: id, error });
        await sleep(clock, RETRY_MS, signal).catch(() => {});
      }
    }
  }
}
