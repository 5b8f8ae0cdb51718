import { nextTurn } from '@windlass/base';
import { SlowWatcherError } from './errors.ts';
import type { History } from './history.ts';
import type { StoreEvent } from './store.ts';
import type { StoreMetrics } from './store-metrics.ts';
import type { Watcher, WatchSource } from './watcher.ts';

/** How far the store is. */
export interface Revisions {
  readonly revision: number;
  readonly compactedRevision: number;
}

/** Watchers of one prefix. They share the arrays they are handed. */
interface Group {
  readonly prefix: string;
  readonly watchers: Set<Watcher>;
  pending: StoreEvent[];
  /** What is being handed out to many watchers, a few in each turn; empty while that is not so. */
  swept: readonly StoreEvent[];
}

/**
 * So many watchers of a prefix are handed a batch in one turn of the event loop. Each costs the encryption and the
 * sending of its bytes; with more of them the writers would wait for the readers.
 */
const AT_ONCE = 16;

/**
 * Hands events to the watchers whose prefix they match.
 *
 * publish: for each event one lookup a slash in its key, and one comparison for each prefix that ends in
 * none; then one call for each watcher and batch. Watchers of other resources cost nothing.
 *
 * Where a prefix has many watchers, they are swept: some in each turn, and what is written meanwhile is the next batch.
 * So the more there is to be handed out, the larger the batches are, and the less each event costs.
 */
export class WatchHub implements WatchSource {
  readonly #revisions: Revisions;
  readonly #history: History;
  readonly #metrics: StoreMetrics;
  readonly #watchers = new Set<Watcher>();
  readonly #groups = new Map<string, Group>();
  // Prefixes that end within a segment, and the empty one. They cannot be found by the key's slashes.
  readonly #ragged = new Set<Group>();
  readonly #dirty = new Set<Group>();
  readonly #toSweep = new Set<Group>();
  #isSweeping = false;

  constructor(revisions: Revisions, history: History, metrics: StoreMetrics) {
    this.#revisions = revisions;
    this.#history = history;
    this.#metrics = metrics;
  }

  get revision(): number {
    return this.#revisions.revision;
  }

  get compactedRevision(): number {
    return this.#revisions.compactedRevision;
  }

  page(prefix: string, revision: number, limit: number): StoreEvent[] {
    return this.#history.page(prefix, revision, limit);
  }

  enter(watcher: Watcher): void {
    this.#watchers.add(watcher);
    this.#metrics.watchers(this.#watchers.size);
  }

  join(watcher: Watcher): void {
    let group = this.#groups.get(watcher.prefix);
    if (group === undefined) {
      group = { prefix: watcher.prefix, watchers: new Set(), pending: [], swept: [] };
      this.#groups.set(watcher.prefix, group);
      if (!watcher.prefix.endsWith('/')) this.#ragged.add(group);
    }
    group.watchers.add(watcher);
  }

  leave(watcher: Watcher, error: Error | undefined): void {
    this.#watchers.delete(watcher);
    this.#metrics.watchers(this.#watchers.size);
    if (error instanceof SlowWatcherError) this.#metrics.slowWatcher();
    const group = this.#groups.get(watcher.prefix);
    if (group?.watchers.delete(watcher) !== true || group.watchers.size > 0) return;
    this.#groups.delete(group.prefix);
    this.#ragged.delete(group);
    this.#dirty.delete(group);
  }

  pendingAfter(prefix: string): number | undefined {
    const group = this.#groups.get(prefix);
    const first = group?.swept[0] ?? group?.pending[0];
    return first === undefined ? undefined : first.revision - 1;
  }

  /** Takes the next event. It goes out with the others of this turn. */
  publish(event: StoreEvent): void {
    if (this.#groups.size === 0) return;
    const { key } = event;
    for (let slash = key.indexOf('/'); slash !== -1; slash = key.indexOf('/', slash + 1)) {
      const group = this.#groups.get(key.slice(0, slash + 1));
      if (group !== undefined) this.#add(group, event);
    }
    for (const group of this.#ragged) {
      if (key.startsWith(group.prefix)) this.#add(group, event);
    }
  }

  close(error: Error): void {
    for (const watcher of this.#watchers) watcher.end(error);
  }

  #add(group: Group, event: StoreEvent): void {
    group.pending.push(event);
    // One batch for each prefix and turn, whatever the number of writes.
    if (this.#dirty.size === 0) queueMicrotask(() => this.#flush());
    this.#dirty.add(group);
  }

  #flush(): void {
    for (const group of this.#dirty) {
      if (group.swept.length === 0 && group.watchers.size <= AT_ONCE) {
        const batch = group.pending;
        group.pending = [];
        for (const watcher of group.watchers) watcher.push(batch);
      } else this.#toSweep.add(group);
    }
    this.#dirty.clear();
    if (!this.#isSweeping && this.#toSweep.size > 0) void this.#sweepAll();
  }

  async #sweepAll(): Promise<void> {
    this.#isSweeping = true;
    // A group that is added meanwhile, also the one that is being swept, comes once more.
    for (const group of this.#toSweep) {
      this.#toSweep.delete(group);
      await this.#sweep(group);
    }
    this.#isSweeping = false;
  }

  async #sweep(group: Group): Promise<void> {
    const batch = group.pending;
    group.swept = batch;
    group.pending = [];
    let handed = 0;
    // Who joins meanwhile has read all of this from the past, and drops it.
    for (const watcher of group.watchers) {
      watcher.push(batch);
      if (++handed % AT_ONCE === 0) await nextTurn();
    }
    group.swept = [];
  }
}
