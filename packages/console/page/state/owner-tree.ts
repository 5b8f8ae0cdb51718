import type { OwnerItem, PodItem } from '../../src/protocol.ts';

/** An owner with what it owns. */
export interface OwnerNode {
  readonly owner: OwnerItem;
  readonly owners: readonly OwnerNode[];
  readonly pods: readonly PodItem[];
  /** Everything below it. */
  readonly podCount: number;
}

/** Those that nobody here owns, each with what is below it. O(owners + pods). */
export function ownerTrees(owners: readonly OwnerItem[], pods: readonly PodItem[]): OwnerNode[] {
  const known = new Set(owners.map(({ uid }) => uid));
  const ownersOf = groupByOwner(owners);
  const podsOf = groupByOwner(pods);
  // An owner that somehow owns itself must not be followed for ever.
  const build = (owner: OwnerItem, above: ReadonlySet<string>): OwnerNode => {
    const path = new Set(above).add(owner.uid);
    const below = (ownersOf.get(owner.uid) ?? [])
      .filter(({ uid }) => !path.has(uid))
      .map((child) => build(child, path));
    const own = podsOf.get(owner.uid) ?? [];
    const podCount = below.reduce((total, child) => total + child.podCount, own.length);
    return { owner, owners: below, pods: own, podCount };
  };
  return owners
    .filter((owner) => !owner.owners.some((uid) => known.has(uid)))
    .map((owner) => build(owner, new Set()));
}

function groupByOwner<T extends { readonly owners: readonly string[] }>(
  items: readonly T[],
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items)
    for (const uid of item.owners) groups.set(uid, [...(groups.get(uid) ?? []), item]);
  return groups;
}

/** The replica sets of former rollouts: nothing runs for them, and nothing should. */
export function isRetired({ owner, podCount }: OwnerNode): boolean {
  return podCount === 0 && owner.owners.length > 0 && (owner.desired ?? 0) === 0;
}
