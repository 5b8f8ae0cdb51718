import type { Event, EventSource, ObjectReference } from '@windlass/apimachinery/api/core/v1';
import type { TablePrinter } from '../../../resource/definition.ts';
import type { View } from '../../../resource/views.ts';
import { column, NAME_COLUMN, nameOf, since, wide } from '../../shared/columns.ts';

type Time = string | null | undefined;

/** What the two groups that serve events have under different names. */
interface EventParts {
  readonly first: Time;
  readonly last: Time;
  readonly count: number | undefined;
  readonly about: View<ObjectReference> | undefined;
  readonly message: string | undefined;
  readonly source: View<EventSource> | undefined;
  readonly component: string | undefined;
}

/** What they have under the same names. */
type CommonEvent = Pick<
  View<Event>,
  'metadata' | 'eventTime' | 'series' | 'type' | 'reason' | 'reportingInstance'
>;

/** The name comes last: people look for what happened, not for what the event is called. */
export function eventPrinter<S extends CommonEvent>(partsOf: (event: S) => EventParts): TablePrinter<S> {
  return {
    columns: [
      column('Last Seen'),
      column('Type'),
      column('Reason'),
      column('Object'),
      wide('Subobject'),
      wide('Source'),
      column('Message'),
      wide('First Seen'),
      wide('Count'),
      { ...NAME_COLUMN, priority: 1 },
    ],
    cells(event, now) {
      const parts = partsOf(event);
      const { series, type = '', reason = '' } = event;
      const first = since(parts.first || event.eventTime, now);
      const lastTime = (series === undefined ? parts.last : series.lastObservedTime) ?? '';
      const last = lastTime === '' && series === undefined ? first : since(lastTime, now);
      const { name = '', kind = '', fieldPath = '' } = parts.about ?? {};
      return [
        last,
        type,
        reason,
        name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
        fieldPath,
        sourceText(event, parts),
        (parts.message ?? '').trim(),
        first,
        series === undefined ? parts.count || 1 : (series.count ?? 0),
        nameOf(event),
      ];
    },
  };
}

function sourceText({ reportingInstance = '' }: CommonEvent, { source, component = '' }: EventParts): string {
  const from = source?.component || component;
  const where = source?.host || reportingInstance;
  return where === '' ? from : `${from}, ${where}`;
}
