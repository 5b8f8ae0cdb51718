import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '@windlass/base';

/** How often memory is checked. */
const EVERY_MS = 15_000;
/** Memory must have grown by this factor since the last collection before another one runs. */
const GROWTH = 1.25;

/**
 * A collection that left no more than this share is followed by another one: each empties some pages by moving what
 * is left in them. Five do with 20,000 pods; more would mean that work makes new garbage meanwhile, and only cost it time.
 */
const WORTH_ANOTHER = 0.97;
const MAX_IN_A_ROW = 5;
/** One takes 0.2 s with 20,000 pods; what waits meanwhile goes first. */
const ANOTHER_MS = 1000;

/** The usual collection leaves pages that are half empty as they are: 245 MB for 107 in use, with 20,000 pods. */
const COLLECTION = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;

/** A process that was busy for less than this share of the time is at rest. */
const AT_REST = 0.2;

export interface SmallHeapOptions {
  /**
   * Whether it waits until there is little else to do: a collection holds up for a fifth of a second whoever asks the
   * process for something.
   * @default false
   */
  readonly onlyAtRest?: boolean;
}

/**
 * Gives memory back that nothing holds. Filling a cache of tens of thousands of objects leaves twice their size
 * in garbage, most of it outside of the heap, where V8 does not feel it; a process that then rests would keep it
 * for ever.
 */
export function keepHeapSmall(
  clock: Clock,
  signal: AbortSignal,
  { onlyAtRest = false }: SmallHeapOptions = {},
): void {
  setFlagsFromString('--expose-gc');
  // The flag shows in new contexts only. V8 gives a function there.
  const collect = runInNewContext('gc') as (options: typeof COLLECTION) => void;
  let small = 0;
  let inARow = 0;
  let used = performance.eventLoopUtilization();
  /** Since it was last asked. */
  const isAtRest = (): boolean => {
    const before = used;
    used = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(used, before).utilization < AT_REST;
  };
  const look = (): void => {
    if (signal.aborted) return;
    const before = process.memoryUsage.rss();
    const mayCollect = !onlyAtRest || inARow > 0 || isAtRest();
    if (mayCollect && (inARow > 0 || before > small * GROWTH)) {
      collect(COLLECTION);
      small = process.memoryUsage.rss();
      inARow = small < before * WORTH_ANOTHER && inARow + 1 < MAX_IN_A_ROW ? inARow + 1 : 0;
    }
    clock.setTimeout(look, inARow > 0 ? ANOTHER_MS : EVERY_MS, { keepAlive: false });
  };
  clock.setTimeout(look, EVERY_MS, { keepAlive: false });
}
