import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import {
  bytesOf,
  openEtcdStore,
  openSqliteStore,
  restoreSqliteStore,
  type Store,
  type StoredObject,
} from '@windlass/apiserver';
import { type Clock, realClock, throwIfAborted, WindlassError } from '@windlass/base';
import type { EtcdOptions } from '../cluster-store.ts';
import { DataDirClaim } from '../data-dir/claim.ts';

/** How objects are moved from one store to another. */
export interface MigrationOptions {
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Ends it; what was written stays, and the next migration goes on from there. */
  readonly signal?: AbortSignal | undefined;
  /** Told after each batch. @default nobody is */
  readonly onProgress?: (done: number, all: number) => void;
}

/** The objects cannot be moved, and why. */
export class MigrationError extends WindlassError {
  constructor(problem: string) {
    super(problem, { code: 'MIGRATION' });
  }
}

const AT_ONCE = 64;

/**
 * Writes the objects of a stopped cluster into an etcd, and compares all of them afterwards. The store of the cluster
 * stays as it is. One that was interrupted goes on where it was.
 * @returns how many objects there are
 * @throws MigrationError, DataDirInUseError
 */
export async function migrateToEtcd(
  directory: string,
  etcd: EtcdOptions,
  { clock = realClock, signal, onProgress }: MigrationOptions = {},
): Promise<number> {
  const dataDir = resolve(directory);
  if (!existsSync(join(dataDir, 'state', 'state.db')))
    throw new MigrationError(`there is no store in ${dataDir}; name the data directory of a cluster`);
  const claim = await DataDirClaim.take(dataDir, {
    name: undefined,
    inMemory: false,
    clock,
    removesOld: false,
  });
  try {
    await using source = await openSqliteStore(join(dataDir, 'state'), {
      clock,
      markPath: join(dataDir, 'state.mark'),
    });
    await using target = await openEtcdStore({ ...etcd, clock, compactionMs: 0 });
    const { items } = await source.list('/');
    const missing = await missingIn(target, items);
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      throwIfAborted(signal);
      const batch = missing.slice(at, at + AT_ONCE);
      await Promise.all(batch.map(({ key, object }) => target.put(key, object, 0)));
      onProgress?.(items.length - missing.length + at + batch.length, items.length);
    }
    if ((await missingIn(target, items)).length > 0)
      throw new MigrationError('not all objects are in etcd; do not use it, and migrate again');
    return items.length;
  } finally {
    await claim.release();
  }
}

/**
 * Makes the store of a data directory of what is in an etcd, as it is at one moment. All of it or nothing.
 * @returns how many objects there are
 * @throws MigrationError, DataDirInUseError
 */
export async function migrateFromEtcd(
  etcd: EtcdOptions,
  directory: string,
  { clock = realClock }: MigrationOptions = {},
): Promise<number> {
  const dataDir = resolve(directory);
  const state = join(dataDir, 'state');
  if (existsSync(state))
    throw new MigrationError(`there is a store in ${state} already; move it away, or name another directory`);
  const claim = await DataDirClaim.take(dataDir, { name: undefined, inMemory: false, clock });
  try {
    await using source = await openEtcdStore({ ...etcd, clock, compactionMs: 0 });
    const { items, revision } = await source.list('/');
    await restoreSqliteStore(state, {
      revision,
      objects: items.map((stored) => ({
        key: stored.key,
        revision: stored.revision,
        json: bytesOf(stored).toString(),
      })),
    });
    // Opening it checks it.
    await (await openSqliteStore(state, { clock, markPath: join(dataDir, 'state.mark') })).close();
    return items.length;
  } finally {
    await claim.release();
  }
}

/** @throws MigrationError when the etcd has others' objects */
async function missingIn(target: Store, items: readonly StoredObject[]): Promise<StoredObject[]> {
  const wanted = new Map(items.map((item) => [item.key, item]));
  for (const { key, object } of (await target.list('/')).items) {
    const item = wanted.get(key);
    if (item === undefined || !isDeepStrictEqual(withoutVersion(item.object), withoutVersion(object)))
      throw new MigrationError(
        `the etcd has objects of another cluster, such as ${key}; choose an empty one, or another --etcd-prefix`,
      );
    wanted.delete(key);
  }
  return [...wanted.values()];
}

function withoutVersion({ metadata, ...rest }: DeepReadonly<KubeObject>): unknown {
  const { resourceVersion: _, ...kept } = metadata ?? {};
  return { ...rest, metadata: kept };
}
