import { noMetrics, type Random, realClock, silentLogger, systemRandom } from '@windlass/base';
import { MvccStore, type MvccStoreOptions } from './mvcc-store.ts';
import type { Store } from './store.ts';

/** Options of a store that keeps everything in memory. */
export interface MemoryStoreOptions extends Partial<MvccStoreOptions> {
  /** Where the store's id comes from. */
  readonly random?: Random;
}

/** A store that lives as long as the process: for tests, and for clusters that start from nothing. */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  const { random = systemRandom, ...rest } = options;
  const contents = { id: random.uuid(), revision: 0, compactedRevision: 0, writes: [] };
  return new MvccStore(undefined, contents, {
    clock: realClock,
    logger: silentLogger,
    metrics: noMetrics,
    ...rest,
  });
}
