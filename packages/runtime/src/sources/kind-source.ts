import { type KubeObject, keyOf } from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import type { CachedKind } from '../cache/cached-kind.ts';
import type { Mapping } from '../mapping.ts';
import { isResync, type ObjectEvent } from '../object-event.ts';
import type { Predicate } from '../predicates.ts';
import type { Reason, ReasonType } from '../reason.ts';
import { LOW_PRIORITY, type RunningSource, type Source, type SourceSink } from './source.ts';

/** Which events of a kind count, and which keys they stand for. */
export interface KindSourceOptions<T extends KubeObject, K> {
  /** In reasons and messages: `deployments.apps`. */
  readonly name: string;
  /** The watched kind; the source releases it when it stops. */
  readonly kind: () => CachedKind<T>;
  readonly map: Mapping<T, K>;
  /** All must hold. @default every event counts */
  readonly predicates?: readonly Predicate<T>[];
  /** Reminds of every object after so many milliseconds. @default the cache's */
  readonly resyncMs?: number;
  /** Of objects that were there at the start. @default LOW_PRIORITY */
  readonly initialPriority?: number;
  /** Of resyncs. @default LOW_PRIORITY */
  readonly resyncPriority?: number;
  /** Of everything else. @default 0 */
  readonly priority?: number;
}

/** The objects of a kind: what happens to them becomes keys. */
export function kindSource<T extends KubeObject, K>(options: KindSourceOptions<T, K>): Source<K> {
  return { name: options.name, start: (sink) => new RunningKindSource(options, sink) };
}

class RunningKindSource<T extends KubeObject, K> implements RunningSource {
  readonly #options: KindSourceOptions<T, K>;
  readonly #sink: SourceSink<K>;
  readonly #kind: CachedKind<T>;
  readonly #subscription: ReturnType<CachedKind<T>['subscribe']>;
  #hasSynced = false;

  constructor(options: KindSourceOptions<T, K>, sink: SourceSink<K>) {
    this.#options = options;
    this.#sink = sink;
    this.#kind = options.kind();
    this.#subscription = this.#kind.subscribe(
      {
        onAdd: (object, { isInInitialList }) => this.#take({ type: 'add', object, isInInitialList }),
        onUpdate: (old, object) => this.#take({ type: 'update', old, object }),
        onDelete: (object, { isFinalStateUnknown }) =>
          this.#take({ type: 'delete', object, isFinalStateUnknown }),
      },
      options.resyncMs === undefined ? {} : { resyncMs: options.resyncMs },
    );
    this.#kind.start();
  }

  async synced(signal: AbortSignal): Promise<void> {
    await this.#kind.synced(signal);
    await this.#subscription.synced(signal);
    this.#hasSynced = true;
  }

  whyNotSynced(): string | undefined {
    if (this.#hasSynced) return undefined;
    return this.#kind.whyNotSynced() ?? 'its objects are still being queued';
  }

  get isIdle(): boolean {
    return this.#kind.hasSynced && this.#subscription.isIdle;
  }

  async stop(): Promise<void> {
    await this.#subscription.remove();
    await this.#kind.release();
  }

  #take(event: ObjectEvent<T>): void {
    if (!this.#matters(event)) return;
    const { map } = this.#options;
    const reason = this.#reason(event);
    const priority = this.#priority(reason.type);
    if (event.type !== 'update' || event.old === event.object) {
      for (const key of map(event.object)) this.#sink.add(key, reason, priority);
      return;
    }
    for (const key of union(map(event.object), map(event.old))) this.#sink.add(key, reason, priority);
  }

  #matters(event: ObjectEvent<T>): boolean {
    const { predicates = [] } = this.#options;
    try {
      return predicates.every((predicate) => predicate(event));
    } catch (thrown) {
      this.#sink.logger.error('a predicate threw; the event counts', {
        object: keyOf(event.object),
        error: toError(thrown),
      });
      return true;
    }
  }

  #reason(event: ObjectEvent<T>): Reason {
    const { metadata } = event.object;
    const type: ReasonType =
      event.type === 'add' && event.isInInitialList ? 'initial' : isResync(event) ? 'resync' : event.type;
    return {
      type,
      source: this.#options.name,
      object: keyOf(event.object),
      ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
    };
  }

  #priority(type: ReasonType): number {
    const { priority = 0, initialPriority = LOW_PRIORITY, resyncPriority = LOW_PRIORITY } = this.#options;
    return type === 'initial' ? initialPriority : type === 'resync' ? resyncPriority : priority;
  }
}

/** Each key once. Most often both states concern one key, the same: comparing is cheaper then than hashing new texts. */
function union<K>(a: Iterable<K>, b: Iterable<K>): Iterable<K> {
  if (Array.isArray(a) && Array.isArray(b) && a.length === 1 && b.length === 1 && a[0] === b[0]) return a;
  return new Set(a).union(new Set(b));
}
