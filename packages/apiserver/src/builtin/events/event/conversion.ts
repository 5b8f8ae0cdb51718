// An event is the same thing in the core group, where it is stored, and in events.k8s.io; only its fields have other
// names.
import type { Event as CoreEvent } from '@windlass/apimachinery/api/core/v1';
import type { Event } from '@windlass/apimachinery/api/events/v1';
import type { DraftOf, View } from '../../../resource/views.ts';

const TO_EVENTS = {
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
} as const satisfies { readonly [Field in keyof CoreEvent]?: keyof Event };

const TO_CORE = {
  regarding: 'involvedObject',
  note: 'message',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
} as const satisfies { readonly [Field in keyof Event]?: keyof CoreEvent };

type Names = Readonly<Record<string, string>>;
type Renamed<T, N extends Names> = {
  [Field in keyof T as Field extends keyof N ? N[Field] : Field]: T[Field];
};

/** The same values in the same order, shared. */
function renamed<T extends object, N extends Names>(object: T, names: N): Renamed<T, N> {
  const entries = Object.entries(object).map(([field, value]) => [names[field] ?? field, value] as const);
  // Each field has its new name, and its own value.
  return Object.fromEntries(entries) as Renamed<T, N>;
}

export function eventFromCore(event: View<CoreEvent>): View<Event> {
  // Times may be null in both groups; only the types of the core group say so.
  return { ...renamed(event, TO_EVENTS), apiVersion: 'events.k8s.io/v1' } as View<Event>;
}

export function eventToCore(draft: DraftOf<Event>): DraftOf<CoreEvent> {
  return { ...renamed(draft, TO_CORE), apiVersion: 'v1' };
}

/** As `eventToCore`, to be read only. */
export function viewAsCore(event: View<Event>): View<CoreEvent> {
  return { ...renamed(event, TO_CORE), apiVersion: 'v1' };
}
