import { join } from 'node:path';
import {
  createMemoryStore,
  type EtcdStoreOptions,
  openEtcdStore,
  openSqliteStore,
  type Store,
} from '@windlass/apiserver';
import type { Clock, Logger, Metrics, Random } from '@windlass/base';

/** An etcd that has the objects: its members, how to speak to them, and what of it is the cluster's. */
export type EtcdOptions = Pick<EtcdStoreOptions, 'servers' | 'tls' | 'prefix' | 'encryption'>;

/** Where objects are kept: in etcd when there is one, in the directory when there is one, and else in memory. */
export interface StorePlace {
  readonly directory: string | undefined;
  readonly etcd: EtcdOptions | undefined;
  readonly acceptsDataLoss: boolean;
}

interface Environment {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly random: Random;
}

export async function openStore(
  { directory, etcd, acceptsDataLoss }: StorePlace,
  environment: Environment,
): Promise<Store> {
  if (etcd !== undefined) return openEtcdStore({ ...etcd, ...environment });
  if (directory === undefined) return createMemoryStore(environment);
  return openSqliteStore(join(directory, 'state'), {
    ...environment,
    // Not beside the database: who deletes or restores that folder alone is to learn what is missing.
    markPath: join(directory, 'state.mark'),
    acceptsLoss: acceptsDataLoss,
  });
}
