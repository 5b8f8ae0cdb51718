// What every informer of the process tells whoever subscribes, by node:diagnostics_channel: so that a key
// can be followed from the watch to the reconcile without a part of its own in between.

import { channel } from 'node:diagnostics_channel';
import type { KubeObject } from '@windlass/apimachinery';
import type { Notification } from '../handlers/notification.ts';
import type { Report } from '../reflector/reflector-state.ts';

/** On the channel `windlass:informer:change`: the cache has changed, and handlers are about to be told. */
export interface PublishedChange {
  readonly informer: string;
  readonly type: Notification<KubeObject>['type'];
  readonly key: string;
  /** Of the new state; of a deleted object, its last. */
  readonly resourceVersion: string | undefined;
}

/** On the channel `windlass:informer:report`: a watch was opened again, a list was read anew or failed. */
export interface PublishedReport {
  readonly informer: string;
  readonly report: Report;
}

export const changes = channel('windlass:informer:change');
export const reports = channel('windlass:informer:report');

export function publishChanges<T extends KubeObject>(
  informer: string,
  notifications: readonly Notification<T>[],
): void {
  for (const notification of notifications) {
    const { type, key } = notification;
    const { metadata } = type === 'delete' ? notification.old : notification.now;
    const { resourceVersion } = metadata;
    changes.publish({ informer, type, key, resourceVersion } satisfies PublishedChange);
  }
}
