import { type Cached, type DeepReadonly, deepEqual, type KubeObject } from '@windlass/apimachinery';
import type { Indexer } from '../cache/indexer.ts';
import type { Notification } from '../handlers/notification.ts';
import { isNewer, isOlder } from '../versions/resource-versions.ts';
import type { Delta } from './delta-fifo.ts';

export interface AppliedDeltas<T extends KubeObject> {
  /** In the order in which handlers must hear of them. */
  readonly notifications: Notification<T>[];
  /** The version that the cache is at now; undefined when the batch did not say. */
  readonly resourceVersion: string | undefined;
  /** Events that were not newer than what the cache had. */
  readonly stale: number;
}

export interface ApplyOptions {
  /** The version that the cache is at: what is newer than that is newer than everything in it. */
  readonly position: string;
  /** The first list has not been told yet. */
  readonly isInitialList: boolean;
  /** Whether anyone wants to hear of objects that a relist finds unchanged. */
  readonly wantsUnchanged: boolean;
}

type Replaced<T extends KubeObject> = Extract<Delta<T>, { type: 'Replaced' }>;

/**
 * Brings the cache up to date with a batch, all of it before anyone is told. What decides between add and
 * update is the cache, not the delta. A key that now names another object (another uid) is a deletion and
 * an addition, so that no deletion is missed.
 *
 * An update that is newer than all that the cache has seen is what almost every event is. It is stored
 * without a look into the object that it replaces: with many objects that look, at memory that nobody has
 * touched for long, costs more than all the rest.
 */
export function applyDeltas<T extends KubeObject>(
  indexer: Indexer<T>,
  batch: readonly Delta<T>[],
  options: ApplyOptions,
): AppliedDeltas<T> {
  const notifications: Notification<T>[] = [];
  let position = options.position;
  let resourceVersion: string | undefined;
  let stale = 0;
  for (const delta of batch) {
    switch (delta.type) {
      case 'Added':
      case 'Updated': {
        const version = delta.object.metadata.resourceVersion;
        const isAhead = version !== undefined && isNewer(version, position);
        if (!applyObject(indexer, delta, isAhead, notifications)) stale++;
        if (isAhead) position = version;
        resourceVersion = newerOf(resourceVersion, version);
        break;
      }
      case 'Deleted':
        if (!applyDeletion(indexer, delta.key, delta.object, notifications)) stale++;
        resourceVersion = newerOf(resourceVersion, delta.object.metadata.resourceVersion);
        break;
      case 'Replaced':
        replaceAll(indexer, delta, options, notifications);
        resourceVersion = delta.resourceVersion;
        break;
      case 'Sync':
        for (const [key, now] of indexer.entries())
          notifications.push({ type: 'sync', key, now, cause: 'resync' });
        break;
      case 'Bookmark':
        resourceVersion = newerOf(resourceVersion, delta.resourceVersion);
        break;
      default:
        delta satisfies never;
    }
  }
  return { notifications, resourceVersion, stale };
}

/** A bookmark that comes late, or an event once more, does not take the cache back. */
function newerOf(before: string | undefined, version: string | undefined): string | undefined {
  if (before === undefined || version === undefined) return version ?? before;
  return isOlder(version, before) ? before : version;
}

/** False when the cache has this state of the object, or a newer one, already. */
function applyObject<T extends KubeObject>(
  indexer: Indexer<T>,
  { type, key, object: now }: Extract<Delta<T>, { type: 'Added' | 'Updated' }>,
  isAhead: boolean,
  notifications: Notification<T>[],
): boolean {
  const old = indexer.get(key);
  if (old === undefined) notifications.push({ type: 'add', key, now, isInInitialList: false });
  else if (isAhead && type === 'Updated') notifications.push({ type: 'update', key, old, now });
  else if (isStale(now, old)) return false;
  else if (isSameObject(old, now)) notifications.push({ type: 'update', key, old, now });
  else {
    notifications.push(
      { type: 'delete', key, old, isFinalStateUnknown: true },
      { type: 'add', key, now, isInInitialList: false },
    );
  }
  indexer.set(key, now, old);
  return true;
}

/** False when there is nothing to delete, or what is there came after. */
function applyDeletion<T extends KubeObject>(
  indexer: Indexer<T>,
  key: string,
  last: Cached<T>,
  notifications: Notification<T>[],
): boolean {
  const known = indexer.get(key);
  if (known === undefined) return false;
  const isSame = isSameObject(known, last);
  if (!isSame && isStale(last, known)) return false;
  indexer.delete(key);
  // The event's object is the newest state there was; the cache's may be older.
  notifications.push({ type: 'delete', key, old: isSame ? last : known, isFinalStateUnknown: !isSame });
  return true;
}

/** Deletions first, so that handlers free names before others take them; then the list in its order. */
function replaceAll<T extends KubeObject>(
  indexer: Indexer<T>,
  { objects, versionsAreUnique }: Replaced<T>,
  { isInitialList, wantsUnchanged }: ApplyOptions,
  notifications: Notification<T>[],
): void {
  if (indexer.size === 0) {
    for (const [key, now] of objects)
      notifications.push({ type: 'add', key, now, isInInitialList: isInitialList });
    indexer.adopt(objects);
    return;
  }
  for (const [key, old] of indexer.entries()) {
    if (objects.has(key)) continue;
    indexer.delete(key);
    notifications.push({ type: 'delete', key, old, isFinalStateUnknown: true });
  }
  for (const [key, now] of objects) {
    const old = indexer.get(key);
    if (old !== undefined && isUnchanged(old, now, versionsAreUnique)) {
      // The cached object stays: whoever holds it keeps holding what the cache holds.
      if (wantsUnchanged) notifications.push({ type: 'sync', key, now: old, cause: 'relist' });
      continue;
    }
    if (old !== undefined && isSameObject(old, now)) notifications.push({ type: 'update', key, old, now });
    else {
      if (old !== undefined) notifications.push({ type: 'delete', key, old, isFinalStateUnknown: true });
      notifications.push({ type: 'add', key, now, isInInitialList: isInitialList });
    }
    indexer.set(key, now, old);
  }
}

type ObjectState = DeepReadonly<KubeObject>;

function isSameObject(a: ObjectState, b: ObjectState): boolean {
  return a.metadata?.uid === b.metadata?.uid;
}

function isUnchanged(old: ObjectState, now: ObjectState, versionsAreUnique: boolean): boolean {
  if (old === now) return true;
  if (!isSameObject(old, now)) return false;
  const version = old.metadata?.resourceVersion;
  if (version !== now.metadata?.resourceVersion) return false;
  return (version !== undefined && versionsAreUnique) || deepEqual(old, now);
}

/** An event that brings nothing new: the stream was opened at an older version, or repeats itself. */
function isStale(event: ObjectState, known: ObjectState): boolean {
  const versionOfEvent = event.metadata?.resourceVersion;
  const versionKnown = known.metadata?.resourceVersion;
  if (versionOfEvent === undefined || versionKnown === undefined) return false;
  return versionOfEvent === versionKnown || isOlder(versionOfEvent, versionKnown);
}
