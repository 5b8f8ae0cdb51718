import type { History } from './history.ts';
import type { Compaction } from './journal.ts';

/**
 * The next part of a compaction through `revision`: at most `limit` events of the history, which is whole
 * from the compacted revision on. Each event makes the state before it unreachable, and a deletion itself
 * leaves nothing behind.
 */
export function planCompaction(history: History, revision: number, limit: number): Compaction | undefined {
  const drop: number[] = [];
  let through = 0;
  let count = 0;
  for (const event of history) {
    if (event.revision > revision || count++ === limit) break;
    through = event.revision;
    if (event.previous !== undefined) drop.push(event.previous.revision);
    if (event.type === 'delete') drop.push(event.revision);
  }
  return through === 0 ? undefined : { revision: through, drop };
}
