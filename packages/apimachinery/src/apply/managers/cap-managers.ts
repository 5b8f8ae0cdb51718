import { compareUtf8 } from '../../json/go-format.ts';
import { type Manager, type Managers, managerId, secondsOf } from './managers.ts';

/** Who owns what several forgotten managers owned. */
const ANCIENT = 'ancient-changes';

/**
 * At most `max` owners by update: the oldest ones of each version become one. Whoever updates under ever
 * new names would otherwise make the object grow without end.
 */
export function capUpdateManagers(managers: Managers, max: number): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= max) return managers;
  updaters.sort(
    ([leftId, left], [rightId, right]) => secondsOf(left) - secondsOf(right) || compareUtf8(leftId, rightId),
  );
  const result = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [id, manager] of updaters) {
    if (count <= max) break;
    const { apiVersion } = manager;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id);
      continue;
    }
    // The time is that of the youngest of them.
    const bucket: Manager = { ...manager, name: ANCIENT, subresource: '' };
    const bucketId = managerId(bucket);
    const other = result.get(bucketId === id || !result.has(bucketId) ? first : bucketId) ?? bucket;
    if (bucketId === id || !result.has(bucketId)) result.delete(first);
    result.delete(id);
    result.set(bucketId, { ...bucket, fields: manager.fields.union(other.fields) });
    count--;
  }
  return result;
}
