import { type KubeObject, type ResourceType } from '@windlass/apimachinery';
import type { DynamicObject, KindQuery, PluralQuery } from '@windlass/client';
import type { InformerTarget } from '@windlass/informer';
import { nameOf } from '../cache/cache.ts';
import type { CachedKind } from '../cache/cached-kind.ts';
import type { Cluster } from '../cluster.ts';
import { Controller } from '../controller.ts';
import type { ControllerOptions } from '../controller-options.ts';
import { LifecycleError } from '../errors.ts';
import { EventHandling, type HandleEvent } from '../event-handling.ts';
import { type Mapping, toItself, toOwner } from '../mapping.ts';
import type { Predicate } from '../predicates.ts';
import type { Reconcile } from '../reconciler.ts';
import type { ReconcileOutcome } from '../result.ts';
import { kindSource } from '../sources/kind-source.ts';
import type { Source } from '../sources/source.ts';
import type { ManagedControllerOptions, OwnsOptions, WatchOptions } from '../watch-options.ts';
import type { ManagerPart } from './manager-options.ts';

export interface BuilderHost {
  readonly cluster: Cluster;
  readonly part?: ManagerPart;
  /** Makes the controller a part of the manager, which runs it. */
  readonly register: (
    name: string,
    make: (defaults: Partial<ControllerOptions<string>>) => Controller<string>,
    options: ManagedControllerOptions<string>,
  ) => Controller<string>;
}

/** Says what a controller watches; `reconcile` says what it does, and ends it. */
export class ControllerBuilder {
  readonly #name: string;
  readonly #host: BuilderHost;
  readonly #sources: Source[] = [];
  readonly #filters: Predicate<KubeObject>[] = [];
  #main: (InformerTarget & { readonly kind: string }) | undefined = undefined;
  /** Whether the key is one of this part. */
  #has: (key: string) => boolean = () => true;
  #isBuilt = false;

  constructor(name: string, host: BuilderHost) {
    this.#name = name;
    this.#host = host;
  }

  /** The kind that is reconciled: each of its objects is a key. At most once. */
  for<T extends KubeObject>(type: ResourceType<T>, options?: WatchOptions<T>): this;
  for<T extends KubeObject = DynamicObject>(query: KindQuery, options?: WatchOptions<T>): this;
  for<T extends KubeObject>(target: ResourceType<T> | KindQuery, options: WatchOptions<T> = {}): this {
    if (this.#main !== undefined)
      throw new LifecycleError(
        `controller "${this.#name}" is for ${nameOf(this.#main)} already; use watches`,
      );
    this.#main = target;
    const isDivided = this.#host.part?.isDivided(target) ?? false;
    const onKind = (kind: CachedKind<T>): void => {
      if (isDivided) this.#has = (key) => kind.peek(key) !== undefined;
    };
    return this.source(this.#kind(target, toItself, options, onKind));
  }

  /** A kind whose objects belong to those of `for`: what happens to one is the business of its owner. */
  owns<T extends KubeObject>(type: ResourceType<T>, options?: OwnsOptions<T>): this;
  owns<T extends KubeObject = DynamicObject>(query: KindQuery | PluralQuery, options?: OwnsOptions<T>): this;
  owns<T extends KubeObject>(target: InformerTarget, options: OwnsOptions<T> = {}): this {
    if (this.#main === undefined)
      throw new LifecycleError(
        `controller "${this.#name}" owns something before it is for a kind; call for first`,
      );
    const { everyOwner = false } = options;
    return this.source(this.#kind(target, toOwner(this.#main, { everyOwner }), options));
  }

  /** Any other kind, with the keys that its objects concern. */
  watches<T extends KubeObject>(type: ResourceType<T>, map: Mapping<T>, options?: WatchOptions<T>): this;
  watches<T extends KubeObject = DynamicObject>(
    query: KindQuery | PluralQuery,
    map: Mapping<T>,
    options?: WatchOptions<T>,
  ): this;
  watches<T extends KubeObject>(
    target: InformerTarget,
    map: Mapping<T>,
    options: WatchOptions<T> = {},
  ): this {
    return this.source(this.#kind(target, map, options));
  }

  /** A channel, a timer, or a source of one's own. Filters do not apply to it. */
  source(source: Source): this {
    this.#requireOpen();
    this.#sources.push(source);
    return this;
  }

  /** Applies to every kind, also to those named before it. */
  filter(predicate: Predicate<KubeObject>): this {
    this.#requireOpen();
    this.#filters.push(predicate);
    return this;
  }

  /** Ends the description. The manager starts the controller when its turn comes, at once if it runs. */
  reconcile(reconcile: Reconcile, options: ManagedControllerOptions = {}): Controller {
    this.#requireOpen();
    this.#isBuilt = true;
    const { needsLeadership: _, warmUp: _warmUp, ...own } = options;
    const { part } = this.#host;
    const name = part === undefined ? this.#name : `${this.#name}/${part.name}`;
    const ofPart: Reconcile = (key, context): ReturnType<Reconcile> | ReconcileOutcome =>
      this.#has(key) ? reconcile(key, context) : undefined;
    return this.#host.register(
      this.#name,
      (defaults) =>
        new Controller({
          ...defaults,
          ...own,
          name,
          reconcile: part === undefined ? reconcile : ofPart,
          sources: this.#sources,
        }),
      options,
    );
  }

  /** As `reconcile`, for a handler of what happens to the objects of one kind. Instead of `for`. */
  handle<T extends KubeObject>(
    type: ResourceType<T>,
    handle: HandleEvent<T>,
    options?: ManagedControllerOptions & WatchOptions<T>,
  ): Controller;
  handle<T extends KubeObject = DynamicObject>(
    query: KindQuery | PluralQuery,
    handle: HandleEvent<T>,
    options?: ManagedControllerOptions & WatchOptions<T>,
  ): Controller;
  handle<T extends KubeObject>(
    target: InformerTarget,
    handle: HandleEvent<T>,
    options: ManagedControllerOptions & WatchOptions<T> = {},
  ): Controller {
    const {
      predicates = [],
      labelSelector,
      fieldSelector,
      namespace,
      resyncMs,
      priority,
      cluster,
      ...own
    } = options;
    let kind: CachedKind<T> | undefined;
    const handling = new EventHandling<T>(handle, (key) => kind?.find(key));
    const watch: WatchOptions<T> = {
      predicates: [...predicates, handling.tap],
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
      ...(namespace !== undefined && { namespace }),
      ...(resyncMs !== undefined && { resyncMs }),
      ...(priority !== undefined && { priority }),
      ...(cluster !== undefined && { cluster }),
    };
    const onKind = (leased: CachedKind<T>): void => {
      kind = leased;
    };
    this.source(this.#kind<T>(target, toItself, watch, onKind));
    return this.reconcile(handling.reconcile, own);
  }

  #kind<T extends KubeObject>(
    target: InformerTarget,
    map: Mapping<T>,
    options: WatchOptions<T>,
    onKind: (kind: CachedKind<T>) => void = () => {},
  ): Source {
    const {
      cluster = this.#host.cluster,
      predicates = [],
      namespace,
      labelSelector,
      fieldSelector,
    } = options;
    const { resyncMs, priority } = options;
    const all: Predicate<T>[] = [
      ...predicates,
      // Filters may be added later, and see any kind of object.
      (event) => this.#filters.every((filter) => filter(event as Parameters<typeof filter>[0])),
    ];
    return kindSource<T, string>({
      name: nameOf(target),
      kind: () => {
        const kind = cluster.cache.kind<T>(target, {
          ...(namespace !== undefined && { namespace }),
          ...(labelSelector !== undefined && { labelSelector }),
          ...(fieldSelector !== undefined && { fieldSelector }),
        });
        onKind(kind);
        return kind;
      },
      map,
      predicates: all,
      ...(resyncMs !== undefined && { resyncMs }),
      ...(priority !== undefined && { priority }),
    });
  }

  #requireOpen(): void {
    if (this.#isBuilt)
      throw new LifecycleError(`controller "${this.#name}" is made already; use its watch method`);
  }
}
