import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterRecord, readRecord } from './cluster-record.ts';
import { isRunning } from './process-identity.ts';

/** The cluster in a data directory, whether it runs or not. */
export interface FoundCluster {
  readonly dataDir: string;
  readonly record: ClusterRecord;
  /** Of the process that runs it; undefined when none does. */
  readonly pid: number | undefined;
}

/** Undefined when there is none. */
export async function findCluster(dataDir: string): Promise<FoundCluster | undefined> {
  const record = await readRecord(dataDir);
  if (record === undefined) {
    const hasState = await stat(join(dataDir, 'state', 'state.db')).catch(() => undefined);
    return hasState === undefined ? undefined : { dataDir, record: {}, pid: undefined };
  }
  const { process: owner } = record;
  const pid = owner !== undefined && (await isRunning(owner)) ? owner.pid : undefined;
  return { dataDir, record, pid };
}
