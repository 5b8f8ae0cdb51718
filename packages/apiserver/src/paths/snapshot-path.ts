import type { PathHandler } from '../exchange/path-handler.ts';
import { snapshotOf } from '../storage/snapshots/snapshot.ts';
import type { Store } from '../storage/store.ts';

/** Where a backup gets all objects at one moment, secrets too. Only who may do everything may read it. */
export const SNAPSHOT_PATH = '/windlass/snapshot';

/** The header that has the snapshot's revision, and the one that has the number of its lines. */
export const SNAPSHOT_REVISION = 'windlass-revision';
/** The header that says how many objects a snapshot has. */
export const SNAPSHOT_COUNT = 'windlass-count';

export function snapshotPath(store: Store): PathHandler {
  return async ({ path }, { verb }) => {
    if (path !== SNAPSHOT_PATH || verb !== 'get') return undefined;
    const { revision, count, chunks } = await snapshotOf(store);
    return {
      type: 'stream',
      status: 200,
      headers: {
        'content-type': 'application/x-ndjson',
        [SNAPSHOT_REVISION]: String(revision),
        [SNAPSHOT_COUNT]: String(count),
      },
      body: chunks,
    };
  };
}
