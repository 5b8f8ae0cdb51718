import type { KubeObject } from '@windlass/apimachinery';
import type { Notification } from './notification.ts';

/** What waits to be told of one key. */
export interface Waiting<T extends KubeObject> {
  readonly key: string;
  /** When the first of it came. */
  readonly since: number;
  /** Undefined when merging has left nothing to tell. */
  notification: Notification<T> | undefined;
  /** A deletion that must be told before `notification`, because its key was taken again. */
  deletion: Notification<T> | undefined;
}

/**
 * Folds what came later for the same key into what waits for it. The handler then sees less, but nothing
 * that did not happen, and it ends with the same state:
 *
 * | waits  | add               | update            | delete            | sync   |
 * | ------ | ----------------- | ----------------- | ----------------- | ------ |
 * | –      | add               |                   |                   |        |
 * | add    |                   | add, newer        | –                 | add    |
 * | update |                   | update, wider     | delete            | update |
 * | sync   |                   | update            | delete            | sync   |
 * | delete | delete, then add  |                   |                   |        |
 */
export function mergeInto<T extends KubeObject>(waiting: Waiting<T>, next: Notification<T>): void {
  const before = waiting.notification;
  switch (next.type) {
    case 'sync':
      return;
    case 'add':
      // Who has been told of the object before must hear that it went, or would take the two for one.
      if (before?.type === 'delete') waiting.deletion = before;
      waiting.notification = next;
      return;
    case 'update':
      if (before?.type === 'add' || before?.type === 'update')
        waiting.notification = { ...before, now: next.now };
      else waiting.notification = next;
      return;
    case 'delete':
      waiting.notification = before?.type === 'add' ? undefined : next;
      return;
    default:
      next satisfies never;
  }
}
