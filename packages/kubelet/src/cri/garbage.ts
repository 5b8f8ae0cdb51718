// What is no longer needed in a runtime, as decisions: runs of containers, and images.

import { ownerOf } from './config/labels.ts';
import type { Container, Image } from './generated/cri.ts';

/** The newest run of a container, and the one before it: their logs are asked for. */
const KEPT_RUNS = 2;

/** Runs of containers that have ended and whose logs nobody asks for any more. */
export function oldRuns(containers: readonly Container[]): Container[] {
  const byContainer = Map.groupBy(containers, ({ labels }) => {
    const { uid, container } = ownerOf(labels);
    return `${uid}/${container}`;
  });
  return [...byContainer.values()].flatMap((runs) =>
    runs
      .toSorted((a, b) => b.createdAt - a.createdAt)
      .slice(KEPT_RUNS)
      .filter(({ state }) => state === 'CONTAINER_EXITED'),
  );
}

/** How full the disk of the images is. */
export interface Disk {
  readonly capacityBytes: number;
  readonly freeBytes: number;
}

/** From this share on images are removed, until no more than the other one is taken. */
const HIGH_SHARE = 0.85;
const LOW_SHARE = 0.8;

/** How much is to be freed; 0: nothing. */
export function bytesToFree({ capacityBytes, freeBytes }: Disk): number {
  const taken = capacityBytes - freeBytes;
  if (taken < capacityBytes * HIGH_SHARE) return 0;
  return Math.ceil(taken - capacityBytes * LOW_SHARE);
}

/**
 * The images to remove for so many bytes: those that nobody uses, the one first that was used longest ago.
 * @param lastUsed by id, in milliseconds since 1970; what is not there has not been used since the start
 */
export function imagesToRemove(
  images: readonly Image[],
  inUse: ReadonlySet<string>,
  lastUsed: ReadonlyMap<string, number>,
  bytes: number,
): Image[] {
  const unused = images
    .filter(({ id, pinned }) => !pinned && !inUse.has(id))
    .toSorted((a, b) => (lastUsed.get(a.id) ?? 0) - (lastUsed.get(b.id) ?? 0) || a.id.localeCompare(b.id));
  const removed: Image[] = [];
  let freed = 0;
  for (const image of unused) {
    if (freed >= bytes) break;
    freed += image.size;
    removed.push(image);
  }
  return removed;
}
