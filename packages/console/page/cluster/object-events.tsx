import { useConsole } from '../context.ts';
import { groupEvents } from '../state/group-events.ts';
import { useTopic } from '../topic.ts';
import { EventRow } from './event-list.tsx';

/** What happened to one object; nothing where nothing did. */
export function ObjectEvents({ kind, name }: { kind: string; name: string }) {
  const { cluster, onCluster } = useConsole();
  useTopic(onCluster, 500);
  const events = cluster
    .events()
    .filter(({ aboutKind, aboutKey }) => aboutKind === kind && aboutKey === name);
  if (events.length === 0) return null;
  return (
    <section class="events about" aria-label="Events">
      <h2>Events</h2>
      <ol>
        {groupEvents(events).map((group) => (
          <EventRow key={group.newest.key} {...group} />
        ))}
      </ol>
    </section>
  );
}
