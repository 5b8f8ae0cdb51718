import { deepEqual } from '../../json/deep-equal.ts';
import type { DeepReadonly, KubeObject, ManagedFieldsEntry } from '../../object.ts';

/**
 * The updated object, with the live object's times in `managedFields` when nothing else differs. A write
 * that changes nothing must not become one because of the time it was made: loops that apply again and
 * again would wake everybody who watches.
 */
export function keepTimestamps<T extends KubeObject>(live: DeepReadonly<KubeObject>, updated: T): T {
  // Shared with the live object, and so as little to be changed as the rest of what is answered.
  const before = (live.metadata?.managedFields ?? []) as ManagedFieldsEntry[];
  const after = updated.metadata?.managedFields ?? [];
  if (after.length === 0 || before.length !== after.length) return updated;
  if (after.every((entry, index) => entry.time === before[index]?.time)) return updated;
  if (!after.every((entry, index) => sameButTime(entry, before[index]))) return updated;
  const reverted = { ...updated, metadata: { ...updated.metadata, managedFields: before } };
  return deepEqual(live, reverted) ? reverted : updated;
}

function sameButTime(left: ManagedFieldsEntry, right: ManagedFieldsEntry | undefined): boolean {
  const { time: _, ...rest } = left;
  const { time: __, ...others } = right ?? {};
  return deepEqual(rest, others);
}
