import { useState } from 'preact/hooks';
import type { EventItem } from '../../src/protocol.ts';
import { Empty } from '../parts/empty.tsx';
import { When } from '../parts/when.tsx';
import { counted } from '../state/format.ts';
import { type EventGroup, groupEvents } from '../state/group-events.ts';
import { objectLink } from '../state/route.ts';

const GROUPS_SHOWN = 60;
const OTHERS_SHOWN = 30;

/** What happened, the newest first. Warnings stand above the rest. */
export function EventList({ events, text }: { events: readonly EventItem[]; text: string }) {
  const [onlyWarnings, setOnlyWarnings] = useState(false);
  const wanted = events.filter((event) => text === '' || mentions(event, text));
  const warnings = wanted.filter(({ isWarning }) => isWarning);
  const rest = onlyWarnings ? [] : wanted.filter(({ isWarning }) => !isWarning);
  const groups = [...groupEvents(warnings), ...groupEvents(rest)].slice(0, GROUPS_SHOWN);
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
        <span class={warnings.length > 0 ? 'behind' : 'note'}>{counted(warnings.length, 'warning')}</span>
      </div>
      {groups.length === 0 ? (
        <Empty>
          {onlyWarnings
            ? 'Nothing warns.'
            : 'No event is kept, or none matches. They appear when something happens to an object.'}
        </Empty>
      ) : (
        <ol>
          {groups.map((group) => (
            <EventRow
              key={`${group.newest.isWarning} ${group.newest.reason} ${group.newest.aboutKind}`}
              {...group}
            />
          ))}
        </ol>
      )}
    </aside>
  );
}

interface RowProps extends EventGroup {
  /** Where all events are of one object, nobody needs to be told which. */
  readonly isOfOne?: boolean;
}

export function EventRow({ newest, others, isOfOne = false }: RowProps) {
  return (
    <li class={newest.isWarning ? 'warning' : ''}>
      <p class="head">
        <b>
          {newest.isWarning && '⚠ '}
          {newest.reason}
        </b>
        <span class="note">
          {newest.count > 1 && `${newest.count} times, `}
          <When at={newest.lastAt} />
        </span>
      </p>
      {!isOfOne && <AboutLink event={newest} />}
      <p class="message" title={newest.by === '' ? undefined : `by ${newest.by}`}>
        {newest.message}
      </p>
      {others.length > 0 && (
        <details>
          <summary>and {others.length} more like it</summary>
          <ul>
            {others.slice(0, OTHERS_SHOWN).map((event) => (
              <li key={event.key} title={event.message}>
                {isOfOne ? event.message : <AboutLink event={event} />} <When at={event.lastAt} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function AboutLink({ event }: { event: EventItem }) {
  return (
    <a href={objectLink(event.aboutKind, event.aboutKey)} data-item>
      {event.about}
    </a>
  );
}

function mentions({ about, reason, message }: EventItem, text: string): boolean {
  return [about, reason, message].some((part) => part.toLowerCase().includes(text));
}
