import type { EventItem } from '../../src/protocol.ts';

/** What happened to several objects of one kind, as one. */
export interface EventGroup {
  readonly newest: EventItem;
  /** The others, the newest first. */
  readonly others: readonly EventItem[];
}

/**
 * The events of one reason and kind become one, so that what happened to fifty pods does not hide what happened to one
 * node. In the order of the newest of each.
 * @param events the newest first
 */
export function groupEvents(events: readonly EventItem[]): EventGroup[] {
  const groups = new Map<string, { newest: EventItem; others: EventItem[] }>();
  for (const event of events) {
    const name = `${event.isWarning} ${event.reason} ${event.aboutKind}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { newest: event, others: [] });
    else group.others.push(event);
  }
  return [...groups.values()];
}
