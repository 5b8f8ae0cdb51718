import type { Random } from '@windlass/base';

/** The lowest are left to those who name one, as long as there are others. */
const RESERVED_PART = 16;

/**
 * A free offset below `size`, or undefined when there is none. Begins at a random one in the upper part, and takes
 * the first that is free from there.
 */
export function pickFree(
  size: number,
  isFree: (offset: number) => boolean,
  random: Random,
): number | undefined {
  const reserved = Math.min(
    Math.floor(size / 2),
    Math.max(RESERVED_PART, Math.floor(size / RESERVED_PART)),
    256,
  );
  const start = random.int(size - reserved);
  for (let step = 0; step < size - reserved; step++) {
    const offset = reserved + ((start + step) % (size - reserved));
    if (isFree(offset)) return offset;
  }
  for (let offset = reserved - 1; offset >= 0; offset--) if (isFree(offset)) return offset;
  return undefined;
}
