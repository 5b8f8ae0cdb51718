import type { Clock } from '@windlass/base';
import type { RequestInfo } from '../request/request-info.ts';
import type { Catalog } from '../resource/catalog.ts';
import { storagePrefix } from '../resource/definition.ts';
import { bytesOf } from '../storage/index.ts';
import type { Store } from '../storage/store.ts';
import type { ObjectStats } from './seats/work-estimate.ts';

/** What was counted counts for so long. */
const FRESH_MS = 10_000;
/** So many objects are measured for the average. */
const SAMPLE = 20;

interface Counted {
  stats: ObjectStats | undefined;
  atMs: number;
  isCounting: boolean;
}

/**
 * How many objects of each resource there are, and how large they are, about. It answers from what it has counted before
 * and counts anew when that is old, so the first question about a resource has no answer yet.
 */
export class ObjectCounts {
  readonly #store: Pick<Store, 'list'>;
  readonly #catalog: Pick<Catalog, 'find'>;
  readonly #clock: Clock;
  /** By prefix of the store: as many as there are resources. */
  readonly #counted = new Map<string, Counted>();

  constructor(store: Pick<Store, 'list'>, catalog: Pick<Catalog, 'find'>, clock: Clock) {
    this.#store = store;
    this.#catalog = catalog;
    this.#clock = clock;
  }

  /** Undefined for resources that are not stored here, and for those that nobody has asked for before. */
  of({ group, version, resource }: RequestInfo): ObjectStats | undefined {
    const definition = this.#catalog.find(group, version, resource);
    if (definition === undefined) return undefined;
    const prefix = storagePrefix(definition);
    let counted = this.#counted.get(prefix);
    if (counted === undefined) {
      counted = { stats: undefined, atMs: Number.NEGATIVE_INFINITY, isCounting: false };
      this.#counted.set(prefix, counted);
    }
    if (!counted.isCounting && this.#clock.monotonic() - counted.atMs >= FRESH_MS)
      void this.#count(prefix, counted);
    return counted.stats;
  }

  async #count(prefix: string, counted: Counted): Promise<void> {
    counted.isCounting = true;
    try {
      const { items, remaining } = await this.#store.list(prefix, { limit: SAMPLE });
      const bytes = items.reduce((sum, stored) => sum + bytesOf(stored).byteLength, 0);
      counted.stats = {
        count: items.length + remaining,
        averageBytes: items.length === 0 ? 0 : Math.ceil(bytes / items.length),
      };
    } catch {
      // A store that is closed has nothing to count, and says so to the list itself.
      counted.stats = undefined;
    } finally {
      counted.atMs = this.#clock.monotonic();
      counted.isCounting = false;
    }
  }
}
