import { Shard } from '@windlass/runtime';
import type { JournalEntry, State } from '@windlass/simulation';
import { RING } from './ring.ts';

const SHARDS = Array.from({ length: RING.count }, (_, index) => new Shard(index, RING.count));

/** Whoever writes for a Foo has the lease of its shard, which it took itself. */
export function noObjectInTwoHands({ journal, news }: State): string | undefined {
  for (const entry of news) {
    const uid = uidOf(entry);
    if (!entry.by.startsWith('operator') || uid === undefined) continue;
    const shard = SHARDS.find(({ selector }) => selector.includes(uid));
    const holder = holderAt(journal, `${RING.name}-shard-${shard?.name}`, entry.revision);
    if (holder !== entry.by)
      return `${entry.by} wrote ${entry.key} of shard ${shard?.name}, which ${holder ?? 'nobody'} has`;
  }
  return undefined;
}

/** Of the Foo that the write was made for. */
function uidOf({ key, object }: JournalEntry): string | undefined {
  if (key.includes('/foos/')) return object.metadata?.uid;
  if (!key.includes('/deployments/')) return undefined;
  return object.metadata?.ownerReferences?.find(({ kind }) => kind === 'Foo')?.uid;
}

function holderAt(journal: readonly JournalEntry[], lease: string, revision: number): string | undefined {
  const last = journal.findLast(
    ({ key, revision: written }) => written < revision && key.endsWith(`/${lease}`),
  );
  if (last === undefined) return undefined;
  const { spec } = last.object as { spec?: { holderIdentity?: string } };
  return spec?.holderIdentity === '' ? undefined : last.by;
}
