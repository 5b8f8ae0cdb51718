import type { EventItem } from '../../src/protocol.ts';
import { groupEvents } from '../state/group-events.ts';
import { EventRow } from './event-list.tsx';

/** What happened to one object; nothing where nothing did. */
export function ObjectEvents({ events }: { events: readonly EventItem[] }) {
  if (events.length === 0) return null;
  return (
    <section class="events about" aria-label="Events">
      <h2>Events</h2>
      <ol>
        {groupEvents(events).map((group) => (
          <EventRow key={group.newest.key} {...group} isOfOne />
        ))}
      </ol>
    </section>
  );
}
