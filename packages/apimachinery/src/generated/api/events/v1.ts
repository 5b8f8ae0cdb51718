// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { EventSource, ObjectReference } from '../core/v1.ts';
import type { MicroTime, Time } from '../meta/v1.ts';

export interface Event extends NamespacedKind {
  apiVersion?: 'events.k8s.io/v1';
  kind?: 'Event';
  action?: string;
  deprecatedCount?: number;
  deprecatedFirstTimestamp?: Time | null;
  deprecatedLastTimestamp?: Time | null;
  deprecatedSource?: EventSource;
  eventTime: MicroTime;
  metadata?: ObjectMeta;
  note?: string;
  reason?: string;
  regarding?: ObjectReference;
  related?: ObjectReference;
  reportingController?: string;
  reportingInstance?: string;
  series?: EventSeries;
  type?: string;
}
export const Event: ResourceType<Event> = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
};

export interface EventList extends KubeList<Event> {
  apiVersion?: 'events.k8s.io/v1';
  kind?: 'EventList';
}

export interface EventSeries {
  count: number;
  lastObservedTime: MicroTime;
}
