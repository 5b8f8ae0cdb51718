// What tests of controllers share: a cluster with them in it, and pods that somebody seems to run.
import {
  type DeepReadonly,
  formatTime,
  type KubeObject,
  keyOf,
  type ResourceType,
} from '@windlass/apimachinery';
import type { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Event, Pod, type PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import {
  startTestCluster,
  type TestCluster,
  type TestClusterOptions,
  type TestManager,
} from '@windlass/cluster/testing';
import { addControllers } from '@windlass/controllers';

export interface ControlledCluster extends AsyncDisposable {
  readonly cluster: TestCluster;
  readonly controllers: TestManager;
}

/** A cluster in which these controllers run. */
export async function startControllers(
  controllers: readonly string[],
  options: TestClusterOptions = {},
): Promise<ControlledCluster> {
  const cluster = await startTestCluster(options);
  const made = await addManager(cluster, controllers);
  return { cluster, controllers: made, [Symbol.asyncDispose]: () => cluster.stop() };
}

export async function addManager(cluster: TestCluster, controllers: readonly string[]): Promise<TestManager> {
  const made = cluster.manager();
  addControllers(made.manager, { controllers });
  await made.manager.start();
  await cluster.settled();
  return made;
}

export const template = (labels: Record<string, string>, image = 'web:1'): PodTemplateSpec => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image }] },
});

export const labels = { app: 'web' };

export const replicaSet = (
  name: string,
  replicas: number,
  more: Partial<ReplicaSet['spec']> = {},
): ReplicaSet => ({
  metadata: { name, namespace: 'default' },
  spec: { replicas, selector: { matchLabels: labels }, template: template(labels), ...more },
});

export const deployment = (
  name: string,
  replicas: number,
  more: Partial<NonNullable<Deployment['spec']>> = {},
): Deployment => ({
  metadata: { name, namespace: 'default' },
  spec: { replicas, selector: { matchLabels: labels }, template: template(labels), ...more },
});

export async function all<T extends KubeObject>(cluster: TestCluster, type: ResourceType<T>): Promise<T[]> {
  const { items } = await cluster.client.resource(type).list();
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Pods of a set: not those that are on their way out. */
export async function podsOf(cluster: TestCluster, owner?: DeepReadonly<KubeObject>): Promise<Pod[]> {
  const pods = await all(cluster, Pod);
  return pods.filter(
    ({ metadata }) =>
      metadata?.deletionTimestamp === undefined &&
      (owner === undefined ||
        metadata?.ownerReferences?.some(({ uid }) => uid === owner.metadata?.uid) === true),
  );
}

/** As a node would say it. */
export async function setReady(cluster: TestCluster, pods: readonly Pod[], isReady = true): Promise<void> {
  for (const { metadata } of pods) {
    const client = cluster.client.resource(Pod).namespace(metadata?.namespace ?? '');
    const pod = await client.get(metadata?.name ?? '');
    await client.status.replace({
      ...pod,
      status: {
        ...pod.status,
        phase: 'Running',
        conditions: [
          {
            type: 'Ready',
            status: isReady ? 'True' : 'False',
            lastTransitionTime: formatTime(cluster.clock.now()),
          },
        ],
      },
    });
  }
}

/** All pods become ready, until nothing moves any more. */
export async function runPods(cluster: TestCluster): Promise<void> {
  for (let round = 0; round < 50; round++) {
    await cluster.settled();
    const waiting = (await podsOf(cluster)).filter(({ status }) => status?.phase !== 'Running');
    if (waiting.length === 0) return;
    await setReady(cluster, waiting);
  }
  throw new Error('pods come without end');
}

/** `reason: message` of the events about an object, oldest first. */
export async function eventsOf(cluster: TestCluster, name: string): Promise<string[]> {
  const events = await all(cluster, Event);
  return events
    .filter(({ involvedObject }) => involvedObject.name === name)
    .toSorted((a, b) => Number(a.metadata?.resourceVersion) - Number(b.metadata?.resourceVersion))
    .map(({ reason, message }) => `${reason}: ${message}`);
}
