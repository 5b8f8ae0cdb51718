// Whether a write changed anything, as the version and the owners of the object tell.
import { deepEqual } from '@windlass/apimachinery';
import { type Json, textIn } from './kinds.ts';

/** `retimed`: nothing but the times of owners. `reordered`: nothing but their order, and maybe their times. */
export type Version = 'same' | 'retimed' | 'reordered' | 'new';

export function versionAfter(before: Json, after: Json): Version {
  const [old, now] = [describe(before), describe(after)];
  if (now.version === old.version) return 'same';
  if (!deepEqual(now.content, old.content)) return 'new';
  if (!deepEqual(now.owners, old.owners)) return 'reordered';
  return deepEqual(now.times, old.times) ? 'new' : 'retimed';
}

/**
 * What both servers must agree on. A server gives owners the time of their last write in seconds, and sorts them by it.
 * Ours has a second for each request, and many requests share one on the real server, so that some of what it does
 * depends on when a second ends:
 *
 * - Of two owners who wrote in one second the one who writes again in the next comes last then, and the server takes
 *   that for a change. Ours has seen the last one last already, or moves it while the real server still has one second.
 * - What the real server has in memory may differ from what it stores: the fraction of a second, an empty list. Then it
 *   takes the new times of owners for a change, which they are only when a second has ended.
 */
export function comparableVersions(
  real: Version | undefined,
  ours: Version | undefined,
  realObject: Json,
): [real: Version | undefined, ours: Version | undefined] {
  const isChance = real === 'reordered' || real === 'retimed';
  const isTied = real === 'same' && ours === 'reordered' && new Set(describe(realObject).times).size === 1;
  return [isChance ? 'same' : real, isTied ? 'same' : ours];
}

function describe(object: Json): { version: string; owners: string[]; times: string[]; content: object } {
  // Every object has metadata.
  const { managedFields, resourceVersion, ...metadata } = (object['metadata'] ?? {}) as Json;
  const entries = (managedFields ?? []) as Json[];
  const owners = entries.map(({ time: _time, ...entry }) => JSON.stringify(entry));
  return {
    version: String(resourceVersion),
    owners,
    times: entries.map((entry) => textIn(entry, 'time', '')),
    content: { ...object, metadata, owners: owners.toSorted() },
  };
}
