import {
  compareResourceVersions,
  type DeepReadonly,
  deepEqual,
  isResourceVersion,
  type KubeObject,
} from '@windlass/apimachinery';
import type { Delta } from './delta-fifo.ts';
import type { Indexer } from './indexer.ts';
import type { Notification } from './notification.ts';

export interface AppliedDeltas<T> {
  /** In the order in which handlers must hear of them. */
  readonly notifications: Notification<T>[];
  /** The version that the cache is at now; undefined when the batch did not say. */
  readonly resourceVersion: string | undefined;
  /** Events that were older than what the cache had. */
  readonly stale: number;
}

export interface ApplyOptions {
  /** The first list has not been told yet. */
  readonly isInitialList: boolean;
  /** Whether anyone wants to hear of unchanged objects, and why they would be told. */
  readonly wantsRelistSync: boolean;
}

/**
 * Brings the cache up to date with a batch, all of it before anyone is told. What decides between add and
 * update is the cache, not the delta. A key that now names another object (another uid) is a deletion and
 * an addition, so that no deletion is missed.
 */
export function applyDeltas<T extends KubeObject>(
  indexer: Indexer<T>,
  batch: readonly Delta<T>[],
  options: ApplyOptions,
): AppliedDeltas<T> {
  const notifications: Notification<T>[] = [];
  let resourceVersion: string | undefined;
  let stale = 0;
  for (const delta of batch) {
    switch (delta.type) {
      case 'Added':
      case 'Updated':
        if (applyObject(indexer, delta.key, delta.object, options.isInitialList, notifications)) {
          resourceVersion = delta.object.metadata?.resourceVersion ?? resourceVersion;
        } else stale++;
        break;
      case 'Deleted': {
        const old = indexer.delete(delta.key);
        resourceVersion = delta.object.metadata?.resourceVersion ?? resourceVersion;
        // The event's object is the newest state there was; the cache's may be older.
        if (old !== undefined)
          notifications.push({
            type: 'delete',
            key: delta.key,
            old: delta.object,
            isFinalStateUnknown: false,
          });
        break;
      }
      case 'Replaced':
        replaceAll(indexer, delta, options, notifications);
        resourceVersion = delta.resourceVersion;
        break;
      case 'Sync':
        for (const [key, now] of indexer.entries())
          notifications.push({ type: 'sync', key, now, cause: 'resync' });
        break;
      case 'Bookmark':
        resourceVersion = delta.resourceVersion;
        break;
      default:
        delta satisfies never;
    }
  }
  return { notifications, resourceVersion, stale };
}

/** False when the cache has a newer state of the same object already. */
function applyObject<T extends KubeObject>(
  indexer: Indexer<T>,
  key: string,
  now: DeepReadonly<T>,
  isInInitialList: boolean,
  notifications: Notification<T>[],
): boolean {
  const old = indexer.get(key);
  if (old === undefined) {
    indexer.set(key, now);
    notifications.push({ type: 'add', key, now, isInInitialList });
    return true;
  }
  if (!isSameObject(old, now)) {
    indexer.set(key, now);
    notifications.push(
      { type: 'delete', key, old, isFinalStateUnknown: true },
      { type: 'add', key, now, isInInitialList },
    );
    return true;
  }
  if (isOlderOrEqual(now, old)) return false;
  indexer.set(key, now);
  notifications.push({ type: 'update', key, old, now });
  return true;
}

/** Deletions first, so that handlers free names before others take them; then the list in its order. */
function replaceAll<T extends KubeObject>(
  indexer: Indexer<T>,
  { objects, versionsAreUnique }: Extract<Delta<T>, { type: 'Replaced' }>,
  { isInitialList, wantsRelistSync }: ApplyOptions,
  notifications: Notification<T>[],
): void {
  if (indexer.size > 0) {
    for (const key of indexer.keys()) {
      if (objects.has(key)) continue;
      const old = indexer.delete(key);
      if (old !== undefined) notifications.push({ type: 'delete', key, old, isFinalStateUnknown: true });
    }
  }
  for (const [key, now] of objects) {
    const old = indexer.get(key);
    if (old === undefined) {
      indexer.set(key, now);
      notifications.push({ type: 'add', key, now, isInInitialList: isInitialList });
    } else if (!isSameObject(old, now)) {
      indexer.set(key, now);
      notifications.push(
        { type: 'delete', key, old, isFinalStateUnknown: true },
        { type: 'add', key, now, isInInitialList: isInitialList },
      );
    } else if (isUnchanged(old, now, versionsAreUnique)) {
      // The cached object stays: whoever holds it keeps holding what the cache holds.
      if (wantsRelistSync) notifications.push({ type: 'sync', key, now: old, cause: 'relist' });
    } else {
      indexer.set(key, now);
      notifications.push({ type: 'update', key, old, now });
    }
  }
}

function isSameObject(a: DeepReadonly<KubeObject>, b: DeepReadonly<KubeObject>): boolean {
  return a.metadata?.uid === b.metadata?.uid;
}

function isUnchanged(
  old: DeepReadonly<KubeObject>,
  now: DeepReadonly<KubeObject>,
  versionsAreUnique: boolean,
): boolean {
  if (old.metadata?.resourceVersion !== now.metadata?.resourceVersion) return false;
  return versionsAreUnique || deepEqual(old, now);
}

function isOlderOrEqual(a: DeepReadonly<KubeObject>, b: DeepReadonly<KubeObject>): boolean {
  const versionA = a.metadata?.resourceVersion;
  const versionB = b.metadata?.resourceVersion;
  if (versionA === undefined || versionB === undefined) return false;
  if (versionA === versionB) return true;
  // Digits of one length compare as text; this is the hot path, so no number is parsed.
  if (!isResourceVersion(versionA) || !isResourceVersion(versionB)) return false;
  return compareResourceVersions(versionA, versionB) < 0;
}
