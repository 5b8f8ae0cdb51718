import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, makeDirectory, WindlassError } from '@windlass/base';
import { type ClusterRecord, readRecord, recordPath, writeRecord } from './cluster-record.ts';
import { DirectoryLock } from './directory-lock.ts';
import { CONSOLE_FILE, IN_MEMORY, LOCK_FILE, LOG_FILE, MADE_AT_START } from './entries.ts';
import { identityOf, isRunning } from './process-identity.ts';
import { removeEntries } from './remove-entries.ts';

export interface ClaimOptions {
  readonly name?: string | undefined;
  /** Whether what the cluster makes goes with it. */
  readonly inMemory: boolean;
  readonly clock: Clock;
  /** Whether what a killed in-memory cluster left is removed. @default true */
  readonly removesOld?: boolean;
}

/** Another process runs a cluster in the data directory. */
export class DataDirInUseError extends WindlassError {
  /** Undefined when it cannot be told. */
  readonly pid: number | undefined;

  constructor(dataDir: string, pid: number | undefined) {
    const owner = pid === undefined ? 'another process' : `process ${pid}`;
    super(
      `the cluster in ${dataDir} is open in ${owner}; stop it, or choose another data directory with --data-dir`,
      { code: 'DATA_DIR_IN_USE' },
    );
    this.pid = pid;
  }
}

/**
 * The one process that has a data directory. The lock decides who that is; the record tells others. What an in-memory
 * cluster that was killed has left is removed first.
 */
export class DataDirClaim {
  readonly #dataDir: string;
  readonly #lock: DirectoryLock;
  #record: ClusterRecord;

  private constructor(dataDir: string, lock: DirectoryLock, record: ClusterRecord) {
    this.#dataDir = dataDir;
    this.#lock = lock;
    this.#record = record;
  }

  /** @throws DataDirInUseError */
  static async take(dataDir: string, options: ClaimOptions): Promise<DataDirClaim> {
    const isNew = await isNewDirectory(dataDir);
    await makeDirectory(dataDir, { mode: 0o700 });
    const lock = DirectoryLock.tryTake(join(dataDir, LOCK_FILE));
    const previous = await readRecord(dataDir);
    if (lock === undefined) throw new DataDirInUseError(dataDir, previous?.process?.pid);
    try {
      // On a disk that is shared without locks the record is all there is.
      if (previous?.process !== undefined && (await isRunning(previous.process)))
        throw new DataDirInUseError(dataDir, previous.process.pid);
      const { removesOld = true } = options;
      if (previous?.inMemory !== undefined && removesOld) await removeMade(dataDir, previous.inMemory);
      // The address of a process that was killed leads nowhere, or to somebody else.
      await rm(join(dataDir, CONSOLE_FILE), { force: true });
      const record = await newRecord(dataDir, options, previous, isNew);
      await writeRecord(dataDir, record);
      return new DataDirClaim(dataDir, lock, record);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  get record(): ClusterRecord {
    return this.#record;
  }

  async update(fields: Partial<ClusterRecord>): Promise<void> {
    this.#record = { ...this.#record, ...fields };
    await writeRecord(this.#dataDir, this.#record);
  }

  /** The cluster has stopped. Of one in memory nothing is left. */
  async release(): Promise<void> {
    const { process: _, startedAt: __, isReady: ___, inMemory, ...stopped } = this.#record;
    try {
      if (inMemory !== undefined) await removeMade(this.#dataDir, inMemory);
      // In memory, beside a cluster that keeps its objects: that one goes on as one that was stopped.
      const stays = inMemory === undefined || (await isThere(join(this.#dataDir, 'state')));
      if (stays) await writeRecord(this.#dataDir, stopped);
      else await this.remove(inMemory.madeDirectory);
    } finally {
      this.#lock.release();
    }
  }

  /** There is no cluster any more: takes away the record and the lock, and the directory if it is empty then. */
  async remove(withDirectory: boolean): Promise<void> {
    await rm(recordPath(this.#dataDir), { force: true });
    this.#lock.releaseAndRemove();
    // What somebody else has put there stays, and so does the directory.
    if (withDirectory) await rmdir(this.#dataDir).catch(() => undefined);
  }
}

async function newRecord(
  dataDir: string,
  { name, inMemory, clock }: ClaimOptions,
  previous: ClusterRecord | undefined,
  isNew: boolean,
): Promise<ClusterRecord> {
  const { server, mergedInto } = previous ?? {};
  // One that was killed made the directory for this one too.
  const madeDirectory = isNew || previous?.inMemory?.madeDirectory === true;
  return {
    ...(name !== undefined && { name }),
    process: await identityOf(process.pid),
    startedAt: new Date(clock.now()).toISOString(),
    ...(server !== undefined && { server }),
    ...(mergedInto !== undefined && { mergedInto }),
    ...(inMemory && {
      inMemory: { made: isNew ? MADE_AT_START : await notThere(dataDir), madeDirectory },
    }),
  };
}

async function removeMade(dataDir: string, { made }: NonNullable<ClusterRecord['inMemory']>): Promise<void> {
  await removeEntries(dataDir, [...MADE_AT_START.filter((name) => made.includes(name)), IN_MEMORY]);
}

/** Whoever starts a cluster in the background has made the directory for its log. */
async function isNewDirectory(dataDir: string): Promise<boolean> {
  try {
    const names = await readdir(dataDir);
    return names.length === 1 && names[0] === LOG_FILE;
  } catch (error) {
    ignoreMissing(error);
    return true;
  }
}

async function notThere(dataDir: string): Promise<string[]> {
  const found = await Promise.all(MADE_AT_START.map((name) => isThere(join(dataDir, name))));
  return MADE_AT_START.filter((_, index) => found[index] !== true);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
