import type { Cached, KubeObject, RawWatchEvent } from '@windlass/apimachinery';
import { type Logger, turnMarks } from '@windlass/base';
import type { Indexer } from '../cache/indexer.ts';
import { applyDeltas } from '../deltas/apply-deltas.ts';
import { DeltaFifo } from '../deltas/delta-fifo.ts';
import type { HandlerSet } from '../handlers/handler-set.ts';
import { keyOrNone } from '../list-watch/object-key.ts';
import type { InformerMetrics } from '../metrics.ts';
import type { ReflectorSink } from '../reflector/reflector-options.ts';
import type { VersionGate } from '../versions/version-gate.ts';
import { changes, publishChanges } from './diagnostics.ts';

export interface CacheControllerOptions<T extends KubeObject> {
  /** Of the informer. */
  readonly name: string;
  readonly indexer: Indexer<T>;
  readonly gate: VersionGate;
  readonly handlers: HandlerSet<T>;
  readonly prepare: ((object: T) => Cached<T>) | undefined;
  readonly logger: Logger;
  readonly metrics: InformerMetrics | undefined;
  /** The server has said something that counts. */
  readonly onHeard: () => void;
  /** The cache has the server's whole state for the first time, and the handlers were told. */
  readonly onSynced: () => void;
}

/** Takes what the reflector sees into the cache, and then tells the handlers. */
export class CacheController<T extends KubeObject> implements ReflectorSink<T> {
  readonly #options: CacheControllerOptions<T>;
  readonly #fifo = new DeltaFifo<T>();
  #hasSynced = false;

  constructor(options: CacheControllerOptions<T>) {
    this.#options = options;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  replace(objects: Map<string, T>, resourceVersion: string, versionsAreUnique: boolean): void {
    const { name, indexer, prepare, handlers, onHeard, onSynced } = this.#options;
    turnMarks.doing('informer', name);
    onHeard();
    if (prepare !== undefined) {
      for (const [key, object] of objects) {
        // What the cache has already was prepared when it came.
        if (indexer.get(key) !== object) objects.set(key, prepare(object) as T);
      }
    }
    // From here on nobody changes them.
    const prepared = objects as Map<string, Cached<T>>;
    this.#fifo.add({ type: 'Replaced', objects: prepared, resourceVersion, versionsAreUnique });
    this.#handleDeltas();
    if (this.#hasSynced) return;
    this.#hasSynced = true;
    onSynced();
    handlers.initialStateSent();
  }

  known(key: string): T | undefined {
    // The cache's objects go back into the cache and nowhere else.
    return this.#options.indexer.get(key) as T | undefined;
  }

  events(events: readonly RawWatchEvent[]): void {
    const { name, prepare, metrics, onHeard } = this.#options;
    turnMarks.doing('informer', name);
    onHeard();
    metrics?.events.inc(events.length);
    for (const { type, object: raw } of events) {
      // The reflector passes on no ERROR, so this is an object of the kind.
      const object = raw as T;
      if (type === 'BOOKMARK') {
        const resourceVersion = object.metadata?.resourceVersion;
        if (resourceVersion !== undefined) this.#fifo.add({ type: 'Bookmark', resourceVersion });
        continue;
      }
      const key = keyOrNone(object);
      if (key === undefined) {
        this.malformed(object);
        continue;
      }
      // It has a name, and from here on nobody changes it.
      const prepared = prepare === undefined ? (object as Cached<T>) : prepare(object);
      const delta = type === 'MODIFIED' ? 'Updated' : type === 'ADDED' ? 'Added' : 'Deleted';
      this.#fifo.add({ type: delta, key, object: prepared });
    }
    this.#handleDeltas();
  }

  malformed(object: unknown): void {
    this.#options.metrics?.malformed.inc();
    // Whatever the server sent; what is found is only logged.
    const kind = (object as KubeObject | undefined)?.kind;
    this.#options.logger.error('an object without a name is left out of the cache', { kind });
  }

  /** Reminds the handlers that are due of what there is. */
  resync(): void {
    if (!this.#hasSynced) return;
    this.#fifo.add({ type: 'Sync' });
    this.#handleDeltas();
  }

  /** Batch by batch: the cache first, then those who want to know. */
  #handleDeltas(): void {
    const { name, indexer, gate, handlers, metrics } = this.#options;
    for (let batch = this.#fifo.popBatch(); batch.length > 0; batch = this.#fifo.popBatch()) {
      const applied = applyDeltas(indexer, batch, {
        position: gate.version,
        isInitialList: !this.#hasSynced,
        wantsUnchanged: handlers.wantsUnchanged,
      });
      if (applied.stale > 0) metrics?.stale.inc(applied.stale);
      if (changes.hasSubscribers) publishChanges(name, applied.notifications);
      handlers.tell(applied.notifications);
      if (applied.resourceVersion === undefined) continue;
      if (batch[0]?.type === 'Replaced') gate.reset(applied.resourceVersion);
      else gate.advance(applied.resourceVersion);
    }
  }
}
