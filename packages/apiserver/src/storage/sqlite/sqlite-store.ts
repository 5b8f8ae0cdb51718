import { resolve } from 'node:path';
import { noMetrics, type Random, realClock, silentLogger, systemRandom } from '@windlass/base';
import { MvccStore, type MvccStoreOptions } from '../mvcc-store.ts';
import type { Store } from '../store.ts';
import { openSqliteJournal } from './open-journal.ts';

/** Options of a store that keeps everything in one SQLite database. */
export interface SqliteStoreOptions extends Partial<MvccStoreOptions> {
  /** Where the id of a new store comes from. */
  readonly random?: Random;
  /**
   * How large the database may become, in bytes; writes that need more are refused.
   * @default as large as the disk allows
   */
  readonly maxBytes?: number;
  /**
   * A file that remembers the last durable revision, best where nobody deletes or restores it together with the
   * directory.
   * @default state.mark in the directory
   */
  readonly markPath?: string;
  /**
   * Go on when writes are lost that were durable, above the last revision that there was. Otherwise the store is not
   * opened.
   * @default false
   */
  readonly acceptsLoss?: boolean;
}

/**
 * Opens the store in a directory, which it creates if it is not there. An answered write survives the end
 * of the process and the loss of power.
 *
 * @throws StoreLockedError when another process has it open
 * @throws StoreFormatError when it was written by a newer version, or by something else
 * @throws StoreCorruptError when what is there is not what was written
 * @throws StoreLostWritesError when the last writes are no longer there, unless that is accepted
 */
export async function openSqliteStore(directory: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const { random = systemRandom, maxBytes, markPath, acceptsLoss = false, ...rest } = options;
  const engine = { clock: realClock, logger: silentLogger, metrics: noMetrics, ...rest };
  const { journal, contents } = await openSqliteJournal(
    { directory: resolve(directory), newId: random.uuid(), maxBytes, markPath, acceptsLoss },
    engine.logger,
  );
  return new MvccStore(journal, contents, engine);
}
