import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  openSqliteStore,
  SNAPSHOT_COUNT,
  SNAPSHOT_PATH,
  SNAPSHOT_REVISION,
  type StoreSnapshot,
  snapshotOf,
} from '@windlass/apiserver';
import { type Clock, toError } from '@windlass/base';
import { HttpTransport, loadConfig } from '@windlass/client';
import { DataDirClaim } from '../data-dir/claim.ts';
import { type FoundCluster, findCluster } from '../data-dir/find-cluster.ts';
import { BackupFailedError } from './errors.ts';

/** Where the objects of a cluster come from. A store elsewhere, such as etcd, is one more of these. */
export type SnapshotSource = (take: (snapshot: StoreSnapshot) => Promise<void>) => Promise<void>;

/** Of the cluster in a data directory: by its API when it runs, from its store when it does not. */
export async function snapshotSource(
  dataDir: string,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<SnapshotSource> {
  const cluster = await findCluster(dataDir);
  if (cluster === undefined) throw new BackupFailedError(`there is no cluster in ${dataDir}`);
  return cluster.pid === undefined ? ofStopped(cluster, clock) : ofRunning(cluster, signal);
}

function ofRunning({ dataDir }: FoundCluster, signal: AbortSignal | undefined): SnapshotSource {
  return async (take) => {
    const config = await loadConfig({ path: join(dataDir, 'kubeconfig') });
    await using transport = new HttpTransport({ config });
    const {
      status,
      headers,
      bytes,
      body: error,
    } = await transport.stream({
      method: 'GET',
      path: SNAPSHOT_PATH,
      headers: { accept: 'application/x-ndjson' },
      ...(signal !== undefined && { signal }),
    });
    if (status !== 200 || bytes === undefined)
      throw new BackupFailedError(`the cluster in ${dataDir} answers ${status}`, error);
    await take({
      revision: Number(headers[SNAPSHOT_REVISION]),
      count: Number(headers[SNAPSHOT_COUNT]),
      chunks: bytes,
    });
  };
}

function ofStopped({ dataDir, record }: FoundCluster, clock: Clock): SnapshotSource {
  return async (take) => {
    if (!existsSync(join(dataDir, 'state', 'state.db')))
      throw new BackupFailedError(`the cluster in ${dataDir} kept its objects in memory, and does not run`);
    // Nobody starts it meanwhile.
    const claim = await DataDirClaim.take(dataDir, {
      name: record.name,
      inMemory: false,
      clock,
      removesOld: false,
    });
    try {
      await using store = await openSqliteStore(join(dataDir, 'state'), {
        clock,
        markPath: join(dataDir, 'state.mark'),
      });
      await take(await snapshotOf(store));
    } catch (error) {
      throw new BackupFailedError(toError(error).message, error);
    } finally {
      await claim.release();
    }
  };
}
