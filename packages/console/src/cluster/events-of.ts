import { splitKey } from '@windlass/apimachinery';
import { Event } from '@windlass/apimachinery/api/core/v1';
import type { Client } from '@windlass/client';
import type { EventItem } from '../protocol.ts';
import { eventItem } from './items.ts';

/** What was recorded about an object, the newest first. */
export async function eventsOf(
  client: Client,
  kind: string,
  key: string,
  signal: AbortSignal,
): Promise<EventItem[]> {
  const { namespace, name } = splitKey(key);
  const all = client.resource(Event);
  // Events about what has no namespace are in the default one.
  const { items } = await all.namespace(namespace === '' ? 'default' : namespace).list({
    fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}`,
    signal,
  });
  return items.map(eventItem).sort((a, b) => b.lastAt - a.lastAt);
}
