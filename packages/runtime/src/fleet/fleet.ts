import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import { type Clock, type Logger, linkSignals, type Metrics, toError } from '@windlass/base';
import type { DynamicObject, KindQuery, PluralQuery } from '@windlass/client';
import type { InformerTarget } from '@windlass/informer';
import { nameOf } from '../cache/cache.ts';
import type { Cluster } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { LifecycleError } from '../errors.ts';
import { type Mapping, toItself, toOwner } from '../mapping.ts';
import type { Reconcile, ReconcileContext } from '../reconciler.ts';
import type { ReconcileOutcome } from '../result.ts';
import type { Runnable, RunnableContext } from '../runnable.ts';
import { kindSource } from '../sources/kind-source.ts';
import type { RunningSource, Source, SourceSink } from '../sources/source.ts';
import type { ManagedControllerOptions, OwnsOptions, WatchOptions } from '../watch-options.ts';
import { Member, type SourceOf } from './member.ts';
import { checkedName, splitMemberKey } from './member-key.ts';
import type { ClusterProvider, MemberOptions } from './provider.ts';

/** An object in a cluster of a fleet. */
export interface FleetRequest {
  /** Where it is: `cluster.objects(Kind)` reads and writes there, `cluster.name` is its name. */
  readonly cluster: Cluster;
  /** As of any controller: `namespace/name`. */
  readonly key: string;
}

/** As `Reconcile`, for objects of many clusters. The signal also aborts when the cluster goes. */
export type FleetReconcile = (
  request: FleetRequest,
  context: ReconcileContext,
) => ReconcileOutcome | PromiseLike<ReconcileOutcome>;

/** The manager that a fleet is of. */
export interface FleetHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly createCluster: (options: MemberOptions & { readonly name: string }) => Cluster;
  readonly controller: (name: string) => {
    readonly source: (source: Source) => {
      readonly reconcile: (reconcile: Reconcile, options: ManagedControllerOptions) => Controller;
    };
  };
}

type KindOptions<T extends KubeObject> = Omit<WatchOptions<T>, 'cluster'>;

/** The sources of one controller. */
interface Attached {
  readonly sources: readonly SourceOf[];
  readonly sink: SourceSink<string>;
  /** By cluster: takes them away. */
  readonly stops: Map<Member, readonly (() => Promise<void>)[]>;
}

/** Clusters that come and go, each with caches of its own, and one reconciler for the objects of all of them. */
export class Fleet implements Runnable {
  readonly name: string;
  readonly signalsReady = true;
  readonly #host: FleetHost;
  readonly #provider: ClusterProvider;
  readonly #members = new Map<string, Member>();
  readonly #attached = new Set<Attached>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #count: ReturnType<ReturnType<Metrics['gauge']>['labels']>;

  constructor(host: FleetHost, provider: ClusterProvider) {
    this.name = `clusters of ${provider.name}`;
    this.#host = host;
    this.#provider = provider;
    this.#count = host.metrics
      .gauge({
        name: 'windlass_fleet_clusters',
        help: 'Clusters that a fleet has',
        labelNames: ['provider'],
      })
      .labels({ provider: provider.name });
  }

  /** The clusters there are, by name. */
  get clusters(): ReadonlyMap<string, Cluster> {
    return new Map(Array.from(this.#members, ([name, { cluster }]) => [name, cluster]));
  }

  /** Begins the description of a controller for the objects of all clusters. */
  controller(name: string): FleetControllerBuilder {
    return new FleetControllerBuilder(name, this.#host, this);
  }

  async run({ signal, ready }: RunnableContext): Promise<void> {
    try {
      await this.#provider.run(
        {
          set: (name, version, options) => this.#set(name, version, options),
          remove: (name) => this.#remove(name),
          ready,
        },
        signal,
      );
    } finally {
      for (const name of this.#members.keys()) this.#remove(name);
      await Promise.all(this.#leaving);
    }
  }

  /** @returns takes the sources away again */
  attach(sources: readonly SourceOf[], sink: SourceSink<string>): () => Promise<void> {
    const attached: Attached = { sources, sink, stops: new Map() };
    this.#attached.add(attached);
    for (const member of this.#members.values()) start(member, attached);
    return async () => {
      this.#attached.delete(attached);
      await Promise.all([...attached.stops.values()].flat().map((stop) => stop()));
    };
  }

  member(name: string): Member | undefined {
    return this.#members.get(name);
  }

  get isIdle(): boolean {
    return this.#members.values().every(({ isIdle }) => isIdle);
  }

  #set(name: string, version: string, options: MemberOptions): void {
    const { clock, logger } = this.#host;
    if (this.#members.get(name)?.version === version) return;
    this.#remove(name);
    try {
      const cluster = this.#host.createCluster({ ...options, name: checkedName(name) });
      const member = new Member(name, version, cluster, clock, logger);
      this.#members.set(name, member);
      for (const attached of this.#attached) start(member, attached);
      logger.info('a cluster has come', { cluster: name });
    } catch (thrown) {
      // The others go on.
      logger.error('a cluster cannot be used', { cluster: name, error: toError(thrown) });
    }
    this.#count.set(this.#members.size);
  }

  #remove(name: string): void {
    const member = this.#members.get(name);
    if (member === undefined) return;
    this.#members.delete(name);
    for (const { stops } of this.#attached) stops.delete(member);
    this.#count.set(this.#members.size);
    const { logger } = this.#host;
    logger.info('a cluster is gone', { cluster: name });
    const leaving = member
      .stop()
      .catch((thrown: unknown) => {
        logger.warn('a cluster could not be left as it should', { cluster: name, error: toError(thrown) });
      })
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }
}

function start(member: Member, { sources, sink, stops }: Attached): void {
  stops.set(
    member,
    sources.map((source) => member.start(source, sink)),
  );
}

/** Says what a controller watches in every cluster; `reconcile` says what it does, and ends it. */
export class FleetControllerBuilder {
  readonly #name: string;
  readonly #host: FleetHost;
  readonly #fleet: Fleet;
  readonly #sources: SourceOf[] = [];
  #main: (InformerTarget & { readonly kind: string }) | undefined = undefined;

  constructor(name: string, host: FleetHost, fleet: Fleet) {
    this.#name = name;
    this.#host = host;
    this.#fleet = fleet;
  }

  /** The kind that is reconciled. At most once. */
  for<T extends KubeObject>(type: ResourceType<T>, options?: KindOptions<T>): this;
  for<T extends KubeObject = DynamicObject>(query: KindQuery, options?: KindOptions<T>): this;
  for<T extends KubeObject>(target: ResourceType<T> | KindQuery, options: KindOptions<T> = {}): this {
    if (this.#main !== undefined)
      throw new LifecycleError(
        `controller "${this.#name}" is for ${nameOf(this.#main)} already; use watches`,
      );
    this.#main = target;
    return this.#watch(target, toItself, options);
  }

  /** A kind whose objects belong to those of `for`. */
  owns<T extends KubeObject>(type: ResourceType<T>, options?: Omit<OwnsOptions<T>, 'cluster'>): this;
  owns<T extends KubeObject = DynamicObject>(
    query: KindQuery | PluralQuery,
    options?: Omit<OwnsOptions<T>, 'cluster'>,
  ): this;
  owns<T extends KubeObject>(target: InformerTarget, options: Omit<OwnsOptions<T>, 'cluster'> = {}): this {
    if (this.#main === undefined)
      throw new LifecycleError(
        `controller "${this.#name}" owns something before it is for a kind; call for first`,
      );
    const { everyOwner = false } = options;
    return this.#watch(target, toOwner(this.#main, { everyOwner }), options);
  }

  /** Any other kind, with the keys that its objects concern in the same cluster. */
  watches<T extends KubeObject>(type: ResourceType<T>, map: Mapping<T>, options?: KindOptions<T>): this;
  watches<T extends KubeObject = DynamicObject>(
    query: KindQuery | PluralQuery,
    map: Mapping<T>,
    options?: KindOptions<T>,
  ): this;
  watches<T extends KubeObject>(target: InformerTarget, map: Mapping<T>, options: KindOptions<T> = {}): this {
    return this.#watch(target, map, options);
  }

  /** Ends the description. The controller runs with the manager. */
  reconcile(reconcile: FleetReconcile, options: ManagedControllerOptions = {}): Controller {
    const fleet = this.#fleet;
    const sources = [...this.#sources];
    const source: Source = {
      name: fleet.name,
      start: (sink) => new RunningFleetSource(fleet, sources, sink),
    };
    const ofMember: Reconcile = async (memberKey, context) => {
      const [name, key] = splitMemberKey(memberKey);
      const member = fleet.member(name);
      // What is queued of a cluster that is gone is nobody's business.
      if (member === undefined) return undefined;
      using linked = linkSignals(context.signal, member.signal);
      return await reconcile({ cluster: member.cluster, key }, contextOf(context, linked.signal));
    };
    return this.#host.controller(this.#name).source(source).reconcile(ofMember, options);
  }

  #watch<T extends KubeObject>(target: InformerTarget, map: Mapping<T>, options: KindOptions<T>): this {
    const { predicates, resyncMs, priority, ...scope } = options;
    this.#sources.push((cluster) =>
      kindSource<T, string>({
        name: nameOf(target),
        kind: () => cluster.cache.kind<T>(target, scope),
        map,
        ...(predicates !== undefined && { predicates }),
        ...(resyncMs !== undefined && { resyncMs }),
        ...(priority !== undefined && { priority }),
      }),
    );
    return this;
  }
}

/** The sources of a controller in all clusters, those that come later included. */
class RunningFleetSource implements RunningSource {
  readonly #fleet: Fleet;
  readonly #detach: () => Promise<void>;

  constructor(fleet: Fleet, sources: readonly SourceOf[], sink: SourceSink<string>) {
    this.#fleet = fleet;
    this.#detach = fleet.attach(sources, sink);
  }

  /** At once: a cluster that does not answer must not hold up the others. */
  async synced(): Promise<void> {}

  whyNotSynced(): undefined {
    return undefined;
  }

  get isIdle(): boolean {
    return this.#fleet.isIdle;
  }

  stop(): Promise<void> {
    return this.#detach();
  }
}

function contextOf(context: ReconcileContext, signal: AbortSignal): ReconcileContext {
  const { key, controller, reasons, retries, priority } = context;
  return {
    key,
    controller,
    reasons,
    retries,
    priority,
    signal,
    // They are made when somebody asks for them.
    get logger() {
      return context.logger;
    },
    get recorder() {
      return context.recorder;
    },
  };
}
