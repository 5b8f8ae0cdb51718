import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openSqliteStore, restoreSqliteStore, type SnapshotObject } from '@windlass/apiserver';
import { type Clock, makeDirectory, realClock, toError, WindlassError, writeWhole } from '@windlass/base';
import { DataDirClaim } from '../data-dir/claim.ts';
import { hasOwnEntries } from '../data-dir/reset.ts';
import { type BackupEntry, type BackupFile, type BackupHeader, readBackup } from './backup-file.ts';
import { BackupDamagedError } from './errors.ts';

/** How a backup is restored. */
export interface RestoreClusterOptions {
  /** Of the cluster. @default none */
  readonly name?: string | undefined;
  /** @default the machine's clock */
  readonly clock?: Clock;
}

/** There is a cluster where one was to be restored. */
export class NotEmptyError extends WindlassError {
  constructor(dataDir: string) {
    super(
      `there is a cluster in ${dataDir} already; reset it first, or restore into another directory with --data-dir or --name`,
      { code: 'NOT_EMPTY' },
    );
  }
}

/**
 * Makes a cluster of a backup, in a data directory that has none: every object at its resourceVersion, and the same
 * authority and keys, so that kubeconfigs and tokens are still good. All of it or nothing.
 * @throws BackupDamagedError, NotEmptyError, DataDirInUseError
 */
export async function restoreCluster(
  file: string,
  directory: string,
  { name, clock = realClock }: RestoreClusterOptions = {},
): Promise<BackupHeader> {
  const dataDir = resolve(directory);
  // All of it is read before anything is made.
  const header = await checkBackup(file);
  if (await hasOwnEntries(dataDir)) throw new NotEmptyError(dataDir);
  const claim = await DataDirClaim.take(dataDir, { name, inMemory: false, clock });
  const state = join(dataDir, 'state');
  try {
    const files: BackupFile[] = [];
    const { revision } = header;
    await restoreSqliteStore(state, { revision, objects: objectsOf(readBackup(file), files) });
    await checkStore(file, state, join(dataDir, 'state.mark'));
    for (const { path, text, mode } of files) {
      await makeDirectory(dirname(join(dataDir, path)), { mode: 0o700 });
      await writeWhole(join(dataDir, path), text, mode);
    }
    await claim.release();
    return header;
  } catch (error) {
    for (const made of ['state', 'state.mark', 'pki'])
      await rm(join(dataDir, made), { recursive: true, force: true });
    await claim.remove(true);
    throw error;
  }
}

async function checkBackup(file: string): Promise<BackupHeader> {
  let header: BackupHeader | undefined;
  for await (const entry of readBackup(file)) if (entry.type === 'header') header = entry.header;
  if (header === undefined) throw new BackupDamagedError(file, 'it is empty');
  return header;
}

/** The objects; files are put aside until all is known to be whole. */
async function* objectsOf(
  entries: AsyncIterable<BackupEntry>,
  files: BackupFile[],
): AsyncGenerator<SnapshotObject> {
  for await (const entry of entries) {
    if (entry.type === 'object') yield entry.object;
    else if (entry.type === 'file') files.push(entry.file);
  }
}

/** Opening a store checks every object in it. */
async function checkStore(file: string, state: string, markPath: string): Promise<void> {
  try {
    await (await openSqliteStore(state, { markPath })).close();
  } catch (error) {
    throw new BackupDamagedError(file, toError(error).message, error);
  }
}
