import type { KubeObject, RawWatchEvent } from '@windlass/apimachinery';
import { isOlder } from '../versions/resource-versions.ts';

/** Empty and missing are the same: nothing to go by. */
export function versionOf(event: RawWatchEvent | undefined): string | undefined {
  // A stream gives no ERROR, and all else has metadata or nothing.
  return (event?.object as KubeObject | undefined)?.metadata?.resourceVersion || undefined;
}

/** Changes come in order. A bookmark may come late, after a change that is newer than what it says. */
export function newestOf(events: readonly RawWatchEvent[]): string | undefined {
  let newest: string | undefined;
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index];
    const version = versionOf(event);
    if (version !== undefined && (newest === undefined || isOlder(newest, version))) newest = version;
    if (event?.type !== 'BOOKMARK') break;
  }
  return newest;
}
