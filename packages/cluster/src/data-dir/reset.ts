import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isStoreOpen } from '@windlass/apiserver';
import { type Clock, realClock, WindlassError } from '@windlass/base';
import { takeOutOfKubeconfig } from '../kubeconfig/merged-kubeconfig.ts';
import type { Released } from '../storage/release.ts';
import { DataDirClaim, DataDirInUseError } from './claim.ts';
import { isOwnEntry } from './entries.ts';
import { findCluster } from './find-cluster.ts';
import { removeEntries } from './remove-entries.ts';

/** What a reset has released and deleted. */
export interface ResetResult extends Released {
  /** What was deleted, by name. Empty when there was no cluster. */
  readonly deleted: readonly string[];
  /** What is still in the data directory, because it is not the cluster's. */
  readonly left: readonly string[];
  /** The kubeconfig that the cluster was taken out of. */
  readonly takenOutOf: string | undefined;
}

/** The store is open in a process of a version that took no lock on the data directory. */
export class StoreInUseError extends WindlassError {
  constructor(dataDir: string) {
    super(`another process has the store in ${dataDir} open; stop it first`, { code: 'STORE_IN_USE' });
  }
}

/**
 * Deletes the cluster in a data directory: unmounts and detaches what the kernel keeps for it, takes it out of the
 * kubeconfig that it was merged into, and deletes what it made. What somebody else has put there stays.
 * @throws DataDirInUseError, StoreInUseError when it runs
 * @throws ForeignMountError, KernelStateLeftError; then nothing was deleted
 */
export async function resetDataDir(
  dataDir: string,
  { clock = realClock }: { readonly clock?: Clock } = {},
): Promise<ResetResult> {
  const names = await ownEntries(dataDir);
  const found = await findCluster(dataDir);
  if (names.length === 0 && found === undefined)
    return { deleted: [], left: [], takenOutOf: undefined, unmounted: 0, detached: 0 };
  if (found?.pid !== undefined) throw new DataDirInUseError(dataDir, found.pid);
  if (isStoreOpen(join(dataDir, 'state'))) throw new StoreInUseError(dataDir);
  const { name, mergedInto } = found?.record ?? {};
  // Nobody can start it meanwhile.
  const claim = await DataDirClaim.take(dataDir, { inMemory: false, name, clock, removesOld: false });
  let released: Released;
  try {
    released = await removeEntries(dataDir, names);
    if (mergedInto !== undefined) await takeOutOfKubeconfig(mergedInto, dataDir, { clock });
  } catch (error) {
    await claim.release();
    throw error;
  }
  await claim.remove(true);
  const left = await readdir(dataDir).catch(() => []);
  return { ...released, deleted: names, left, takenOutOf: mergedInto };
}

/** Whether there is anything in a directory that a cluster has made. */
export async function hasOwnEntries(dataDir: string): Promise<boolean> {
  return (await ownEntries(dataDir)).length > 0;
}

async function ownEntries(dataDir: string): Promise<string[]> {
  try {
    return (await readdir(dataDir)).filter(isOwnEntry).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return [];
    throw error;
  }
}
