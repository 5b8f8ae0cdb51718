/** What something took at a size. */
export interface Point {
  readonly size: number;
  /** Processor time. */
  readonly milliseconds: number;
}

/**
 * How fast the time grows in the last step between two sizes: 1 where it grows as the size does, 2 where it grows with its
 * square. A fixed part of the time only makes it less, and the last step is where that part counts least. Less than
 * `floorMs` says nothing: then it is 0.
 */
export function steepness(points: readonly Point[], floorMs: number): number {
  const sorted = points.toSorted((a, b) => a.size - b.size);
  const [before, last] = sorted.slice(-2);
  if (before === undefined || last === undefined || last.milliseconds < floorMs) return 0;
  return Math.log(last.milliseconds / before.milliseconds) / Math.log(last.size / before.size);
}

/** The least time of each size: whatever else a machine does only ever adds. */
export function best(points: readonly Point[]): Point[] {
  const bySize = new Map<number, number>();
  for (const { size, milliseconds } of points)
    bySize.set(size, Math.min(milliseconds, bySize.get(size) ?? Number.POSITIVE_INFINITY));
  return [...bySize].map(([size, milliseconds]) => ({ size, milliseconds }));
}
