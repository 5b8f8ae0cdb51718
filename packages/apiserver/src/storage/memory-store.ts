import type { KubeObject } from '@windlass/apimachinery';
import { noMetrics, type Random, realClock, silentLogger, systemRandom } from '@windlass/base';
import { MvccStore, type MvccStoreOptions } from './mvcc-store.ts';
import type { Store, StoredList } from './store.ts';

/** Options of a store that keeps everything in memory. */
export interface MemoryStoreOptions extends Partial<MvccStoreOptions> {
  /** Where the store's id comes from. */
  readonly random?: Random;
  /**
   * Begins with what another store had: what its `list('/')` said. The past of it is not there: watches begin at its
   * revision. @default nothing
   */
  readonly contents?: Pick<StoredList, 'items' | 'revision'>;
}

/** A store that lives as long as the process: for tests, and for clusters that start from nothing. */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  const {
    random = systemRandom,
    contents: { items, revision } = { items: [], revision: 0 },
    ...rest
  } = options;
  // A store keeps objects read-only, so that two may keep the same ones.
  const writes = items.map(({ key, revision, object }) => ({ key, revision, kept: object as KubeObject }));
  writes.sort((a, b) => a.revision - b.revision);
  const begun = { id: random.uuid(), revision, compactedRevision: revision, writes };
  return new MvccStore(undefined, begun, {
    clock: realClock,
    logger: silentLogger,
    metrics: noMetrics,
    ...rest,
  });
}
