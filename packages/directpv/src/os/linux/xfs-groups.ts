const BLOCK = 4096;
/** mkfs.xfs makes four groups, on many disks or for many processors more. */
const MOST_GROUPS = 64;
/** The largest group that mkfs.xfs makes, and the smallest where it makes one for each processor. */
const USUAL_BYTES = [(2 ** 28 - 1) * BLOCK, 4 * 1024 ** 3];
const BLOCK_SIZES = [4096, 512, 1024, 2048, 8192, 16_384, 32_768, 65_536];

export interface GroupHints {
  /** Of file systems that are known by their records. */
  readonly known: readonly number[];
  /** What the header of the first group says of its length, in blocks of whatever size. */
  readonly blocks: number | undefined;
}

/**
 * Where the second superblock of an XFS on a device of this size may be, the likeliest first. Nobody can read a large
 * disk as a whole at each look; what mkfs.xfs does by itself is here.
 */
export function groupCandidates(size: number, { known, blocks }: GroupHints): number[] {
  const offsets = new Set(known);
  if (blocks !== undefined) for (const blockSize of BLOCK_SIZES) offsets.add(blocks * blockSize);
  const all = Math.floor(size / BLOCK);
  for (let groups = 2; groups <= MOST_GROUPS; groups++) offsets.add(Math.ceil(all / groups) * BLOCK);
  for (const bytes of USUAL_BYTES) offsets.add(bytes);
  return [...offsets].filter((offset) => offset > 0 && offset % 512 === 0 && offset + 512 <= size);
}
