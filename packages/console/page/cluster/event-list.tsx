import { useState } from 'preact/hooks';
import type { EventItem } from '../../src/protocol.ts';
import { Empty } from '../parts/empty.tsx';
import { When } from '../parts/when.tsx';
import { objectLink } from '../state/route.ts';

const SHOWN = 60;
const WARNINGS_SHOWN = 20;

/** What happened, the newest first. Warnings stand above the rest. */
export function EventList({ events, text }: { events: readonly EventItem[]; text: string }) {
  const [onlyWarnings, setOnlyWarnings] = useState(false);
  const wanted = events.filter(
    (event) =>
      text === '' ||
      [event.about, event.reason, event.message].some((part) => part.toLowerCase().includes(text)),
  );
  const warnings = wanted.filter(({ isWarning }) => isWarning);
  const rest = wanted.filter(({ isWarning }) => !isWarning);
  return (
    <aside class="events" aria-label="Events">
      <div class="bar">
        <h2>Events</h2>
        <label class="choice">
          <input
            type="checkbox"
            checked={onlyWarnings}
            onChange={(event) => setOnlyWarnings(event.currentTarget.checked)}
          />{' '}
          only warnings
        </label>
        <span class={warnings.length > 0 ? 'behind' : 'note'}>{warnings.length} warnings</span>
      </div>
      {wanted.length === 0 && (
        <Empty>No event is kept. They appear when something happens to an object.</Empty>
      )}
      <ol>
        {warnings.slice(0, onlyWarnings ? SHOWN : WARNINGS_SHOWN).map((event) => (
          <EventRow key={event.key} event={event} />
        ))}
        {!onlyWarnings && rest.slice(0, SHOWN).map((event) => <EventRow key={event.key} event={event} />)}
      </ol>
    </aside>
  );
}

function EventRow({ event }: { event: EventItem }) {
  return (
    <li class={event.isWarning ? 'warning' : ''}>
      <p class="head">
        <b>
          {event.isWarning && '⚠ '}
          {event.reason}
        </b>
        <span class="note">
          {event.count > 1 && `${event.count} times, `}
          <When at={event.lastAt} />
        </span>
      </p>
      <a href={objectLink(event.aboutKind, event.aboutKey)} data-item>
        {event.about}
      </a>
      <p class="message" title={`by ${event.by}`}>
        {event.message}
      </p>
    </li>
  );
}
