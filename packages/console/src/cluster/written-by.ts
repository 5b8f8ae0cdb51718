import { type DeepReadonly, deepEqual, type KubeObject } from '@windlass/apimachinery';

/** Who made a revision, and when. */
export interface Written {
  readonly by: string | undefined;
  readonly at: number | undefined;
}

/**
 * Told by the managed fields: the entry that the revision before did not have, or had with another time or other
 * fields. Of several the newest; a create has only new ones.
 */
export function writtenBy(
  before: DeepReadonly<KubeObject> | undefined,
  after: DeepReadonly<KubeObject>,
): Written {
  const known = before?.metadata?.managedFields ?? [];
  const changed = (after.metadata?.managedFields ?? []).filter(
    (entry) => !known.some((other) => deepEqual(entry, other)),
  );
  // Who loses a field to another keeps the time of its own last write.
  const acted = changed.filter(
    (entry) => !known.some((other) => other.time === entry.time && isSameWriter(other, entry)),
  );
  const newest = (acted.length > 0 ? acted : changed)
    .toSorted((a, b) => (a.time ?? '').localeCompare(b.time ?? ''))
    .at(-1);
  const at = Date.parse(
    newest?.time ?? (before === undefined ? (after.metadata?.creationTimestamp ?? '') : ''),
  );
  const { manager, subresource } = newest ?? {};
  return {
    by:
      manager === undefined || subresource === undefined || subresource === ''
        ? manager
        : `${manager} (${subresource})`,
    at: Number.isNaN(at) ? undefined : at,
  };
}

type Entry = DeepReadonly<NonNullable<NonNullable<KubeObject['metadata']>['managedFields']>[number]>;

function isSameWriter(a: Entry, b: Entry): boolean {
  return a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource;
}
