// What our own tests read of a cluster. It is no part of `windlass/testing`.
import { type KubeObject, keyOf, type ResourceType } from '@windlass/apimachinery';
import { Event } from '@windlass/apimachinery/api/core/v1';
import type { TestCluster } from './test-cluster.ts';

/** All objects of the kind, by namespace and name. */
export async function all<T extends KubeObject>(cluster: TestCluster, type: ResourceType<T>): Promise<T[]> {
  const { items } = await cluster.client.resource(type).list();
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** `reason: message` of the events about an object, oldest first. */
export async function eventsOf(cluster: TestCluster, name: string): Promise<string[]> {
  const events = await all(cluster, Event);
  return events
    .filter(({ involvedObject }) => involvedObject.name === name)
    .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    .map(({ reason, message }) => `${reason}: ${message}`);
}
