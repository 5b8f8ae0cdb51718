import { addToSum, rowChecksum } from './checksums.ts';
import { DamageError } from './failures.ts';
import type { LogMeta } from './log-meta.ts';

export interface LogRow {
  readonly revision: number;
  readonly key: string;
  /** JSON; null for a deletion. */
  readonly value: string | null;
}

/**
 * Reads the log along with the loader and holds it to what the writer did: every row as it was written,
 * none missing, up to the compacted revision one for each object, after it every revision.
 */
export class LogVerifier {
  readonly #meta: LogMeta;
  readonly #live = new Set<string>();
  #rows = 0;
  #sum = 0;
  #last: number;

  constructor(meta: LogMeta) {
    this.#meta = meta;
    this.#last = meta.compactedRevision;
  }

  row(row: LogRow, checksum: number): void {
    const { revision, key, value } = row;
    if (rowChecksum(revision, key, value) !== checksum) {
      throw damaged(row, 'does not match its checksum');
    }
    this.#rows++;
    this.#sum = addToSum(this.#sum, checksum);
    if (revision <= this.#meta.compactedRevision) {
      if (value === null || this.#live.has(key)) throw damaged(row, 'should have been compacted away');
    } else {
      if (revision !== this.#last + 1)
        throw new DamageError(`revision ${this.#last + 1} of the log is missing`);
      this.#last = revision;
      if (value === null && !this.#live.has(key)) throw damaged(row, 'deletes what is not there');
    }
    if (value === null) this.#live.delete(key);
    else this.#live.add(key);
  }

  end(): void {
    const { revision, rows, sum } = this.#meta;
    if (this.#last !== revision) {
      throw new DamageError(`the log ends at revision ${this.#last} and should end at ${revision}`);
    }
    if (this.#rows !== rows || this.#sum !== sum) {
      throw new DamageError(
        `the log has ${this.#rows} rows and should have ${rows}, or some are not its own`,
      );
    }
  }
}

function damaged(row: LogRow, problem: string): DamageError {
  return new DamageError(`row ${row.revision} of the log, key "${row.key}", ${problem}`);
}
