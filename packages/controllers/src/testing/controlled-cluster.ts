// What tests of controllers share: a cluster with them in it, and pods that somebody seems to run.
import { type DeepReadonly, formatTime, type KubeObject } from '@windlass/apimachinery';
import type { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Pod, type PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import {
  startTestCluster,
  type TestCluster,
  type TestClusterOptions,
  type TestManager,
} from '@windlass/cluster/testing';
import { all } from '@windlass/cluster/testing/objects';
import { type AddControllersOptions, addControllers } from '../controllers.ts';

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

export async function addManager(
  cluster: TestCluster,
  controllers: readonly string[],
  more: Omit<AddControllersOptions, 'controllers'> = {},
): Promise<TestManager> {
  const made = cluster.manager();
  addControllers(made.manager, { ...more, controllers });
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
): ReplicaSet & { metadata: { namespace: string } } => ({
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
