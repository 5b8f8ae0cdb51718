import type { KubeObject } from '@windlass/apimachinery';
import type { Store, StoredObject, StoreEvent, StoreWatch } from '../store.ts';

export interface ConfigMap extends KubeObject {
  data?: { [key: string]: string };
}

export function configMap(name: string, value = ''): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
}

/** The value that `configMap` was given. */
export function valueOf(stored: StoredObject | undefined): string | undefined {
  return (stored?.object as ConfigMap | undefined)?.data?.['value'];
}

export function keysOf(items: readonly { readonly key: string }[]): string[] {
  return items.map((item) => item.key);
}

/** Reads on until `count` events have come. */
export async function take(watch: StoreWatch, count: number): Promise<StoreEvent[]> {
  const events: StoreEvent[] = [];
  while (events.length < count) {
    const { done, value } = await watch.next();
    if (done === true) throw new Error(`the watch ended after ${events.length} of ${count} events`);
    events.push(...value);
  }
  return events;
}

/** Creates, or replaces whatever is there. */
export async function write(store: Store, key: string, value: string): Promise<StoredObject> {
  const current = await store.get(key);
  return store.put(key, configMap(key.slice(key.lastIndexOf('/') + 1), value), current?.revision ?? 0);
}
