import { hostname } from 'node:os';
import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import {
  type Clock,
  InvalidArgumentError,
  type Logger,
  MetricsRegistry,
  onAbort,
  type Random,
  realClock,
  systemRandom,
  toError,
  warningLogger,
} from '@windlass/base';
import type { Client, DynamicObject, KindQuery, PluralQuery } from '@windlass/client';
import type { InformerTarget } from '@windlass/informer';
import { Cluster, type ClusterOptions } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { LeadershipLostError, LifecycleError } from '../errors.ts';
import { EventBroadcaster } from '../events/event-broadcaster.ts';
import type { EventRecorder } from '../events/recorder.ts';
import { Fleet } from '../fleet/fleet.ts';
import type { ClusterProvider } from '../fleet/provider.ts';
import type { KindClient } from '../objects/kind-client.ts';
import type { GroupName, Runnable } from '../runnable.ts';
import { type HealthCheck, HealthChecks } from '../servers/health-checks.ts';
import { WebhookServer } from '../webhooks/webhook-server.ts';
import { ControllerBuilder } from './controller-builder.ts';
import { ControllerRegistry } from './controller-registry.ts';
import { electionClient, Leadership } from './leadership.ts';
import { DEFAULT_GRACEFUL_STOP_MS, type ManagerOptions } from './manager-options.ts';
import { type ProbeServers, probeServers } from './probe-servers.ts';
import { RunnableGroup } from './runnable-group.ts';

const START_ORDER: readonly GroupName[] = ['servers', 'webhooks', 'caches', 'always', 'warmup', 'leader'];
const STOP_ORDER: readonly GroupName[] = ['always', 'warmup', 'leader', 'caches', 'webhooks', 'servers'];

type OtherClusterOptions = Omit<ClusterOptions, 'clock' | 'random' | 'logger' | 'metrics' | 'assertMayWrite'>;

type Lifecycle = 'new' | 'starting' | 'running' | 'stopping' | 'stopped';

/** One process: the controllers in it and everything that they share. */
export class Manager implements AsyncDisposable {
  /** The cluster that it was made for. */
  readonly cluster: Cluster;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  readonly identity: string;
  readonly #options: ManagerOptions;
  readonly #webhooks: WebhookServer | undefined;
  readonly #leadership: Leadership | undefined;
  readonly #electionClient: Client | undefined;
  readonly #events: EventBroadcaster;
  readonly #health: HealthChecks;
  readonly #readiness: HealthChecks;
  readonly #servers: ProbeServers;
  readonly #groups: ReadonlyMap<GroupName, RunnableGroup>;
  readonly #controllers: ControllerRegistry;
  readonly #clusters: Cluster[] = [];
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
    this.logger = options.logger ?? warningLogger;
    this.clock = options.clock ?? realClock;
    this.random = options.random ?? systemRandom;
    this.identity = options.identity ?? `${hostname()}_${this.random.uuid()}`;
    this.cluster = new Cluster({
      ...options,
      metrics: this.metrics,
      assertMayWrite: () => this.#leadership?.assertMayWrite(),
    });
    const { clock, random, logger, metrics, identity, client } = this;
    this.#events = new EventBroadcaster({ client, instance: identity, clock, random, logger, metrics });
    this.#health = new HealthChecks('/healthz', clock);
    this.#readiness = new HealthChecks('/readyz', clock);
    this.#readiness.add('started', () => {
      if (this.#lifecycle !== 'running') throw new LifecycleError(`the manager is ${this.#lifecycle}`);
    });
    const onError = (error: Error): void => this.#fail(error);
    this.#controllers = new ControllerRegistry({
      defaults: (name) => ({
        ...options.controllerDefaults,
        clock,
        logger,
        metrics,
        recorder: this.recorder(name),
      }),
      add: (runnable, group) =>
        void this.add(runnable, group).catch((error: unknown) => onError(toError(error))),
    });
    this.#groups = new Map(
      START_ORDER.map((name) => [name, new RunnableGroup({ name, logger: this.logger, onError })]),
    );
    // Nobody may be waiting for it.
    this.#failed.promise.catch(() => {});
    this.#clusters.push(this.cluster);
    void this.#group('caches').add(this.cluster);
    if (options.leaderElection !== undefined) {
      this.#electionClient = electionClient(options, { clock, random, logger });
      this.#leadership = new Leadership({
        identity,
        ...options.leaderElection,
        client: this.#electionClient ?? this.client,
        clock,
        random,
        logger,
        metrics,
        onElected: () => void this.#lead(),
        onLost: (error) => this.#fail(error),
      });
    }
    const { metricsAddress, healthAddress } = options;
    const [health, readiness] = [this.#health, this.#readiness];
    this.#servers = probeServers({ metricsAddress, healthAddress, metrics, health, readiness, logger });
    for (const server of new Set(Object.values(this.#servers))) void this.#group('servers').add(server);
    if (options.console !== undefined) void this.#group('servers').add(options.console.serve(this));
    if (options.webhooks !== undefined) {
      this.#webhooks = new WebhookServer({ ...options.webhooks, client, clock, random, logger, metrics });
      void this.#group('webhooks').add(this.#webhooks);
    }
  }

  get client(): Client {
    return this.cluster.client;
  }

  /** What it was made with. */
  get options(): Readonly<ManagerOptions> {
    return this.#options;
  }

  /** Where webhooks are added. There must be options for them. */
  get webhooks(): WebhookServer {
    if (this.#webhooks === undefined)
      throw new InvalidArgumentError(
        'webhooks',
        undefined,
        'among the options of a manager that serves webhooks',
      );
    return this.#webhooks;
  }

  get lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  get controllers(): ReadonlyMap<string, Controller> {
    return this.#controllers.byName;
  }

  /** Whether this replica may act as the leader now. Without an election every replica does. */
  get isLeading(): boolean {
    return this.#leadership?.isLeading ?? true;
  }

  /** The ports that are listened on, once they are. */
  get ports(): { readonly metrics: number | undefined; readonly health: number | undefined } {
    return { metrics: this.#servers.metrics?.port, health: this.#servers.health?.port };
  }

  /** Resolves when this replica leads for the first time; at once when there is no election. */
  get elected(): Promise<void> {
    return this.#leadership?.elected ?? Promise.resolve();
  }

  /** Whether no controller has anything to do now. Delayed keys do not count. */
  get isIdle(): boolean {
    return this.#controllers.isIdle;
  }

  /** A kind of the manager's own cluster: cached reads, live writes. */
  objects<T extends KubeObject>(type: ResourceType<T>): KindClient<T>;
  objects<T extends KubeObject = DynamicObject>(query: KindQuery | PluralQuery): KindClient<T>;
  objects<T extends KubeObject>(target: InformerTarget): KindClient<T> {
    return this.cluster.objects<T>(target);
  }

  /** Begins the description of a controller. Names are unique in a manager. */
  controller(name: string): ControllerBuilder {
    const { part } = this.#options;
    return new ControllerBuilder(name, {
      cluster: this.cluster,
      ...(part !== undefined && { part }),
      register: (_, make, options) => {
        this.#requireNotStopping();
        return this.#controllers.register(name, make, options);
      },
    });
  }

  /** Makes a part of the program start and stop with the manager. */
  async add(runnable: Runnable, group: GroupName = 'leader'): Promise<void> {
    this.#requireNotStopping();
    await this.#group(group).add(runnable);
  }

  /** Answers at `/healthz`: whether the process should be started anew. */
  addHealthCheck(name: string, check: HealthCheck): void {
    this.#health.add(name, check);
  }

  /** Answers at `/readyz`: whether the process does its work. */
  addReadinessCheck(name: string, check: HealthCheck): void {
    this.#readiness.add(name, check);
  }

  /** Writes events in the name of a controller, or of another part. */
  recorder(name: string): EventRecorder {
    return this.#events.recorder(name);
  }

  /** Another cluster, whose cache starts and stops with the manager's own. */
  async addCluster(options: OtherClusterOptions): Promise<Cluster> {
    const cluster = this.createCluster(options);
    this.#clusters.push(cluster);
    await this.add(cluster, 'caches');
    return cluster;
  }

  /** Another cluster, which whoever asked for it stops. */
  createCluster(options: OtherClusterOptions): Cluster {
    const { clock, random, logger, metrics } = this;
    const assertMayWrite = (): void => this.#leadership?.assertMayWrite();
    return new Cluster({ ...options, clock, random, logger, metrics, assertMayWrite });
  }

  /** Clusters that come and go, and controllers for the objects of all of them. */
  clusters(provider: ClusterProvider): Fleet {
    const fleet = new Fleet(this, provider);
    void this.add(fleet, 'caches').catch((error: unknown) => this.#fail(toError(error)));
    return fleet;
  }

  /** Resolves when everything runs; with an election, everything but what waits for it. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#lifecycle !== 'new')
      throw new LifecycleError(
        `the manager is ${this.#lifecycle} and cannot be started again; make a new one`,
      );
    this.#lifecycle = 'starting';
    const release = onAbort(signal, () => void this.stop());
    try {
      for (const name of START_ORDER) {
        if (name === 'leader' && this.#leadership !== undefined) continue;
        // A failure ends the waiting for those that would be ready later.
        await Promise.race([this.#group(name).start(), this.#failed.promise]);
        if (this.lifecycle !== 'starting') return;
      }
      this.#lifecycle = 'running';
      this.#leadership?.start();
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
    // Whoever may lead now must not meet what this replica still does.
    if (this.#failure instanceof LeadershipLostError) this.#controllers.abortRuns(this.#failure);
    let hasWorkEnded = true;
    for (const name of STOP_ORDER) {
      const late = await this.#group(name).stop(deadline.signal);
      if (late.length > 0)
        this.logger.error('parts did not end within the graceful time and are left alone', {
          group: name,
          late,
        });
      if (name === 'leader') {
        hasWorkEnded = late.length === 0;
        // The last events are written while the lease is still held, so that nobody starts before.
        await this.#events.stop(deadline.signal);
        await this.#leadership?.stop(hasWorkEnded);
        await this.#electionClient?.close();
      }
      if (name === 'caches') await Promise.all(this.#clusters.map((cluster) => cluster.stop()));
    }
    timer.cancel();
    this.#lifecycle = 'stopped';
  }

  async #lead(): Promise<void> {
    if (this.#lifecycle === 'running') await this.#group('leader').start();
  }

  #group(name: GroupName): RunnableGroup {
    const group = this.#groups.get(name);
    if (group === undefined)
      throw new InvalidArgumentError('group', name, `one of ${START_ORDER.join(', ')}`);
    return group;
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
