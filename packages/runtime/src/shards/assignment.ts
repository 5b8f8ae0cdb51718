// Who should have which shard. Every replica works it out for itself, from the names alone.

/**
 * Spreads shards over members: the numbers of any two members differ by one at most, and when a member comes or goes,
 * few shards of others move. The same members give the same answer in whichever order they come.
 */
export function assignShards(
  members: readonly string[],
  count: number,
): ReadonlyMap<string, readonly number[]> {
  const names = [...new Set(members)].sort();
  const assigned = new Map<string, number[]>(names.map((name) => [name, []]));
  if (names.length === 0) return assigned;
  const most = Math.ceil(count / names.length);
  // So many may have one more than the others.
  let withMost = count - Math.floor(count / names.length) * names.length || names.length;
  for (let shard = 0; shard < count; shard++) {
    // Those with the same score stay in the order of their names.
    const ranked = names.toSorted((a, b) => score(b, shard) - score(a, shard));
    const taker = ranked.find((name) => {
      const has = assigned.get(name)?.length ?? 0;
      return has < most - 1 || (has === most - 1 && withMost > 0);
    });
    const shards = assigned.get(taker ?? '');
    shards?.push(shard);
    if (shards?.length === most) withMost--;
  }
  return assigned;
}

/** Highest wins: a number that any change of the name or the shard makes another one. */
function score(member: string, shard: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(shard + 1, 0x9e3779b1);
  for (let index = 0; index < member.length; index++)
    hash = Math.imul(hash ^ member.charCodeAt(index), 0x01000193);
  // Without it, names that differ in their last letter alone have scores that are close together.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
