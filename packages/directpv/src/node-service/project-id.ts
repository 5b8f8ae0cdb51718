import { createHash } from 'node:crypto';

/** 0 is "no project", and the highest number is what the kernel takes for "none". */
const HIGHEST = 2 ** 32 - 2;

/** The id that a volume has unless another volume of its drive has it already; the same as DirectPV's. */
export function hashedProjectId(volume: string): number {
  return valid(createHash('sha256').update(volume).digest().readUInt32LE(0));
}

/**
 * The project of a volume's directory. One that it has is kept; where two names have the same hash, the second
 * gets the next number that is free on the drive, so that neither counts, or limits, the other.
 * @param projects of all directories of the drive, by name
 */
export function projectIdFor(volume: string, projects: ReadonlyMap<string, number>): number {
  const taken = new Set<number>();
  for (const [directory, id] of projects) if (directory !== volume) taken.add(id);
  const own = projects.get(volume);
  if (own !== undefined && !taken.has(own)) return own;
  let id = hashedProjectId(volume);
  while (taken.has(id)) id = valid(id + 1);
  return id;
}

function valid(id: number): number {
  return id === 0 || id > HIGHEST ? 1 : id;
}
