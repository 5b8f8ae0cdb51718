import type { TablePrinter } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import { objectAt } from '../values.ts';
import { column, NAME_COLUMN, nameOf, numberAt, since, textAt, wide } from './columns.ts';

/** How each of the two groups that serve events names the same things. */
interface EventFields {
  readonly first: string;
  readonly last: string;
  readonly count: string;
  readonly about: string;
  readonly message: string;
  readonly source: string;
  readonly component: string;
}

/** The name comes last: people look for what happened, not for what the event is called. */
function eventPrinter(fields: EventFields): TablePrinter {
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
      const about = objectAt(event, fields.about);
      const series = objectAt(event, 'series');
      const first = since(textAt(event, fields.first) || textAt(event, 'eventTime'), now);
      const lastTime = series === undefined ? textAt(event, fields.last) : textAt(series, 'lastObservedTime');
      const last = lastTime === '' && series === undefined ? first : since(lastTime, now);
      const name = textAt(about, 'name');
      const kind = textAt(about, 'kind').toLowerCase();
      return [
        last,
        textAt(event, 'type'),
        textAt(event, 'reason'),
        name === '' ? kind : `${kind}/${name}`,
        textAt(about, 'fieldPath'),
        sourceText(event, fields),
        textAt(event, fields.message).trim(),
        first,
        series === undefined ? numberAt(event, fields.count) || 1 : numberAt(series, 'count'),
        nameOf(event),
      ];
    },
  };
}

function sourceText(event: Stored, { source, component }: EventFields): string {
  const old = objectAt(event, source);
  const from = textAt(old, 'component', textAt(event, component));
  const where = textAt(old, 'host', textAt(event, 'reportingInstance'));
  return where === '' ? from : `${from}, ${where}`;
}

export const coreEventPrinter: TablePrinter = eventPrinter({
  first: 'firstTimestamp',
  last: 'lastTimestamp',
  count: 'count',
  about: 'involvedObject',
  message: 'message',
  source: 'source',
  component: 'reportingComponent',
});

export const eventsGroupPrinter: TablePrinter = eventPrinter({
  first: 'deprecatedFirstTimestamp',
  last: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
  about: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  component: 'reportingController',
});
