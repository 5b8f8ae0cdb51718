import type { Draft, Stored } from '../../resource/strategy.ts';

// An event is the same thing in the core group, where it is stored, and in events.k8s.io; only its fields
// have other names.

const NAMES: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

function renamed(object: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>): object {
  return Object.fromEntries(
    Object.entries(object).map(([field, value]) => [names.get(field) ?? field, value]),
  );
}

const TO_EVENTS = new Map(NAMES);
const TO_CORE = new Map(NAMES.map(([core, events]) => [events, core]));

export function eventFromCore(object: Stored): Stored {
  return { ...renamed(object, TO_EVENTS), apiVersion: 'events.k8s.io/v1' };
}

export function eventToCore(object: Draft): Draft {
  return { ...renamed(object, TO_CORE), apiVersion: 'v1' };
}
