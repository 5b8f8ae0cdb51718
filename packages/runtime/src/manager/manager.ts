import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import {
  type Clock,
  InvalidArgumentError,
  type Logger,
  MetricsRegistry,
  onAbort,
  type Random,
  realClock,
  silentLogger,
  systemRandom,
  toError,
} from '@windlass/base';
import type { Client, DynamicObject, KindQuery, PluralQuery } from '@windlass/client';
import type { InformerTarget } from '@windlass/informer';
import { Cluster, type ClusterOptions } from '../cluster.ts';
import type { Controller, ControllerOptions } from '../controller.ts';
import { LifecycleError } from '../errors.ts';
import type { KindClient } from '../objects/kind-client.ts';
import { ControllerBuilder, type ManagedControllerOptions } from './controller-builder.ts';
import type { GroupName, Runnable, RunnableContext } from './runnable.ts';
import { RunnableGroup } from './runnable-group.ts';

export interface ManagerOptions extends Omit<ClusterOptions, 'assertMayWrite' | 'metrics'> {
  /** How long a stop waits for everything to end, in milliseconds. 0: not at all. @default 30000 */
  readonly gracefulStopMs?: number;
  /** For controllers that do not say. */
  readonly controllerDefaults?: Partial<
    Pick<ControllerOptions, 'concurrency' | 'maxRetries' | 'timeoutMs' | 'stuckAfterMs' | 'syncTimeoutMs'>
  >;
  /** @default a new registry */
  readonly metrics?: MetricsRegistry;
}

export const DEFAULT_GRACEFUL_STOP_MS = 30_000;

const START_ORDER: readonly GroupName[] = ['servers', 'webhooks', 'caches', 'always', 'warmup', 'leader'];
const STOP_ORDER: readonly GroupName[] = ['always', 'warmup', 'leader', 'caches', 'webhooks', 'servers'];

type Lifecycle = 'new' | 'starting' | 'running' | 'stopping' | 'stopped';

/** One process: the controllers in it and everything that they share. */
export class Manager implements AsyncDisposable {
  /** The cluster that it was made for. */
  readonly cluster: Cluster;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  readonly #options: ManagerOptions;
  readonly #groups: ReadonlyMap<GroupName, RunnableGroup>;
  readonly #controllers = new Map<string, Controller>();
  readonly #failed = Promise.withResolvers<never>();
  #lifecycle: Lifecycle = 'new';
  #failure: Error | undefined = undefined;
  #stopped: Promise<void> | undefined = undefined;

  constructor(options: ManagerOptions) {
    const { gracefulStopMs = DEFAULT_GRACEFUL_STOP_MS } = options;
    if (!(gracefulStopMs >= 0))
      throw new InvalidArgumentError('gracefulStopMs', gracefulStopMs, 'a number of at least 0');
    this.#options = options;
    this.metrics = options.metrics ?? new MetricsRegistry();
    this.logger = options.logger ?? silentLogger;
    this.clock = options.clock ?? realClock;
    this.random = options.random ?? systemRandom;
    this.cluster = new Cluster({ ...options, metrics: this.metrics });
    const onError = (error: Error): void => this.#fail(error);
    this.#groups = new Map(
      START_ORDER.map((name) => [name, new RunnableGroup({ name, logger: this.logger, onError })]),
    );
    // Nobody may be waiting for it.
    this.#failed.promise.catch(() => {});
    void this.#group('caches').add(this.cluster);
  }

  get client(): Client {
    return this.cluster.client;
  }

  get lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  get controllers(): ReadonlyMap<string, Controller> {
    return this.#controllers;
  }

  /** Whether no controller has anything to do now. Delayed keys do not count. */
  get isIdle(): boolean {
    return this.#controllers.values().every((controller) => controller.isIdle);
  }

  /** A kind of the manager's own cluster: cached reads, live writes. */
  objects<T extends KubeObject>(type: ResourceType<T>): KindClient<T>;
  objects<T extends KubeObject = DynamicObject>(query: KindQuery | PluralQuery): KindClient<T>;
  objects<T extends KubeObject>(target: InformerTarget): KindClient<T> {
    return this.cluster.objects<T>(target as ResourceType<T>);
  }

  /** Begins the description of a controller. Names are unique in a manager. */
  controller(name: string): ControllerBuilder {
    return new ControllerBuilder(name, {
      cluster: this.cluster,
      register: (_, make, options) => this.#register(name, make, options),
    });
  }

  /** Makes a part of the program start and stop with the manager. */
  async add(runnable: Runnable, group: GroupName = 'leader'): Promise<void> {
    this.#requireNotStopping();
    await this.#group(group).add(runnable);
  }

  /** Another cluster, whose cache starts and stops with the manager's own. */
  async addCluster(
    options: Omit<ClusterOptions, 'clock' | 'random' | 'logger' | 'metrics'>,
  ): Promise<Cluster> {
    const { clock, random, logger, metrics } = this;
    const cluster = new Cluster({ ...options, clock, random, logger, metrics });
    await this.add(cluster, 'caches');
    return cluster;
  }

  /** Resolves when everything runs. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#lifecycle !== 'new')
      throw new LifecycleError(
        `the manager is ${this.#lifecycle} and cannot be started again; make a new one`,
      );
    this.#lifecycle = 'starting';
    const release = onAbort(signal, () => void this.stop());
    try {
      for (const name of START_ORDER) {
        // A failure ends the waiting for those that would be ready later.
        await Promise.race([this.#group(name).start(), this.#failed.promise]);
        if (this.lifecycle !== 'starting') return;
      }
      this.#lifecycle = 'running';
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      release();
    }
  }

  /**
   * Runs until the signal aborts, then stops.
   * @throws what a part threw, after everything has been stopped
   */
  async run(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => void onAbort(signal, resolve));
    try {
      await this.start(signal);
      await Promise.race([aborted, this.#failed.promise]);
    } finally {
      await this.stop();
    }
  }

  /** Stops everything in order; resolves when it has ended, or when the graceful time is over. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #stop(): Promise<void> {
    this.#lifecycle = 'stopping';
    const gracefulMs =
      this.#failure === undefined ? (this.#options.gracefulStopMs ?? DEFAULT_GRACEFUL_STOP_MS) : 0;
    const deadline = new AbortController();
    const timer = this.clock.setTimeout(() => deadline.abort(), gracefulMs);
    for (const name of STOP_ORDER) {
      const late = await this.#group(name).stop(deadline.signal);
      if (late.length > 0)
        this.logger.error('parts did not end within the graceful time and are left alone', {
          group: name,
          late,
        });
      if (name === 'caches') await this.cluster.stop();
    }
    timer.cancel();
    this.#lifecycle = 'stopped';
  }

  #group(name: GroupName): RunnableGroup {
    const group = this.#groups.get(name);
    if (group === undefined)
      throw new InvalidArgumentError('group', name, `one of ${START_ORDER.join(', ')}`);
    return group;
  }

  #register(
    name: string,
    make: (defaults: Partial<ControllerOptions>) => Controller,
    options: ManagedControllerOptions,
  ): Controller {
    this.#requireNotStopping();
    if (this.#controllers.has(name))
      throw new InvalidArgumentError('name', name, 'unlike that of every other controller of the manager');
    const { clock, logger, metrics } = this;
    const controller = make({ ...this.#options.controllerDefaults, clock, logger, metrics });
    this.#controllers.set(name, controller);
    const runnable: Runnable = {
      name: `controller ${name}`,
      signalsReady: true,
      run: (context) => runController(controller, context),
    };
    const added = this.add(runnable, options.needsLeadership === false ? 'always' : 'leader');
    if (options.warmUp === true) {
      const run = ({ signal }: RunnableContext): Promise<void> => controller.warmUp(signal);
      void this.add({ name: `warm-up of ${name}`, run }, 'warmup').catch((error: unknown) =>
        this.#fail(toError(error)),
      );
    }
    added.catch((error: unknown) => this.#fail(toError(error)));
    return controller;
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined || this.#lifecycle === 'stopping' || this.#lifecycle === 'stopped') {
      this.logger.error('a part failed after the manager had begun to stop', { error });
      return;
    }
    this.#failure = error;
    this.logger.error('a part failed, so the manager stops', { error });
    this.#failed.reject(error);
    if (this.#lifecycle === 'running') void this.stop();
  }

  #requireNotStopping(): void {
    if (this.#lifecycle === 'stopping' || this.#lifecycle === 'stopped')
      throw new LifecycleError(`the manager is ${this.#lifecycle} and takes nothing more`);
  }
}

async function runController(
  controller: Controller,
  { signal, deadline, ready }: RunnableContext,
): Promise<void> {
  try {
    await controller.start(signal);
    ready();
    await new Promise<void>((resolve) => void onAbort(signal, resolve));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await controller.stop({ deadline });
}
