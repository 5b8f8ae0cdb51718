import { noMetrics, realClock, silentLogger, systemRandom } from '@windlass/base';
import type { Journal, JournalRecord } from '../journal.ts';
import { MvccStore } from '../mvcc-store.ts';
import { writeError } from '../sqlite/failure-errors.ts';
import { report } from '../sqlite/failures.ts';
import { LogDatabase } from '../sqlite/log-database.ts';
import { packWrites } from '../sqlite/packed-writes.ts';
import type { SqliteStoreOptions } from '../sqlite/sqlite-store.ts';
import type { Store } from '../store.ts';

/** The SQLite store without its thread: each commit blocks. Tests of what is on the disk need no more. */
export function openInThread(
  directory: string,
  { markPath, acceptsLoss, ...options }: Omit<SqliteStoreOptions, 'maxBytes' | 'random'> = {},
): Store {
  const database = new LogDatabase({
    directory,
    newId: systemRandom.uuid(),
    maxBytes: undefined,
    markPath,
    acceptsLoss: acceptsLoss === true,
  });
  const attempt = async (work: () => void): Promise<void> => {
    try {
      work();
    } catch (error) {
      throw writeError(directory, report(error));
    }
  };
  const journal: Journal = {
    append: (writes) => attempt(() => database.append(packWrites(writes))),
    compact: (compaction) => attempt(() => database.compact(compaction)),
    probe: (bytes) => attempt(() => database.probe(bytes)),
    close: () => attempt(() => database.close()),
  };
  const writes: JournalRecord[] = [];
  try {
    for (const { revision, key, value } of database.load()) {
      writes.push({ revision, key, kept: value ?? undefined });
    }
    database.check();
  } catch (error) {
    database.abandon();
    throw error;
  }
  const defaults = { clock: realClock, logger: silentLogger, metrics: noMetrics };
  return new MvccStore(journal, { ...database.meta, writes }, { ...defaults, ...options });
}
