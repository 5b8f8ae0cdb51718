import { resolve } from 'node:path';
import { noMetrics, type Random, realClock, silentLogger, systemRandom } from '@windlass/base';
import { MvccStore, type MvccStoreOptions } from '../mvcc-store.ts';
import type { Store } from '../store.ts';
import { openSqliteJournal } from './open-journal.ts';

export interface SqliteStoreOptions extends Partial<MvccStoreOptions> {
  /** Where the id of a new store comes from. */
  readonly random?: Random;
  /**
   * How large the database may become, in bytes; writes that need more are refused.
   * @default as large as the disk allows
   */
  readonly maxBytes?: number;
}

/**
 * Opens the store in a directory, which it creates if it is not there. An answered write survives the end
 * of the process and the loss of power.
 *
 * @throws StoreLockedError when another process has it open
 * @throws StoreFormatError when it was written by a newer version, or by something else
 * @throws StoreCorruptError when what is there is not what was written
 */
export async function openSqliteStore(directory: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const { random = systemRandom, maxBytes, ...rest } = options;
  const engine = { clock: realClock, logger: silentLogger, metrics: noMetrics, ...rest };
  const { journal, contents } = await openSqliteJournal(
    { directory: resolve(directory), newId: random.uuid(), maxBytes },
    engine.logger,
  );
  return new MvccStore(journal, contents, engine);
}
