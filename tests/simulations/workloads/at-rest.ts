// What must hold at rest, whatever happened before.
import assert from 'node:assert/strict';
import {
  controllerOf,
  findCondition,
  isConditionTrue,
  type KubeObject,
  type ResourceType,
} from '@windlass/apimachinery';
import {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from '@windlass/apimachinery/api/apps/v1';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import { Endpoints, Namespace, Pod } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import type { State } from '@windlass/simulation';
import { GUARDED, GUARDED_REPLICAS, SIDE_NAMESPACE } from './act.ts';
import { NODES } from './actions.ts';

interface Seen {
  readonly pods: readonly Pod[];
  readonly deployments: readonly Deployment[];
  readonly sets: readonly ReplicaSet[];
  readonly statefulSets: readonly StatefulSet[];
  readonly daemonSets: readonly DaemonSet[];
  readonly revisions: readonly ControllerRevision[];
  readonly jobs: readonly Job[];
}

/** @throws AssertionError with the first thing that is not as it should be */
export async function checkAtRest(state: State): Promise<void> {
  const all = <T extends KubeObject>(type: ResourceType<T>): Promise<readonly T[]> => state.list(type);
  const seen: Seen = {
    pods: await all(Pod),
    deployments: await all(Deployment),
    sets: await all(ReplicaSet),
    statefulSets: await all(StatefulSet),
    daemonSets: await all(DaemonSet),
    revisions: await all(ControllerRevision),
    jobs: await all(Job),
  };
  nothingIsOnItsWayOut(seen);
  nobodyHasLostItsOwner(seen);
  // One that waits for room may hold a rollout up for ever, and rightly so.
  const hasRoom = seen.pods.every(({ spec }) => spec?.nodeName !== undefined);
  for (const set of seen.sets) replicaSetIsAsItSays(set, seen);
  for (const deployment of seen.deployments) deploymentIsAsItSays(deployment, seen, hasRoom);
  for (const set of seen.statefulSets) statefulSetIsAsItSays(set, seen, hasRoom);
  for (const set of seen.daemonSets) daemonSetIsAsItSays(set, seen);
  for (const job of seen.jobs) jobIsOver(job, seen, hasRoom);
  const guarded = seen.pods.filter(({ metadata }) => metadata?.labels?.['app'] === GUARDED);
  if (hasRoom) assert.equal(guarded.filter(isReady).length, GUARDED_REPLICAS, 'guarded pods');
  for (const budget of await all(PodDisruptionBudget)) {
    const { status } = budget;
    assert.equal(status?.currentHealthy, guarded.filter(isReady).length, 'healthy pods of the budget');
    assert.equal(status?.observedGeneration, budget.metadata?.generation);
    assert.deepEqual(status?.disruptedPods ?? {}, {}, 'nobody is thought to be going');
  }
  const ready = ips(guarded.filter(isReady));
  const slices = (await all(EndpointSlice)).filter(
    ({ metadata }) => metadata?.labels?.['kubernetes.io/service-name'] === GUARDED,
  );
  const inSlices = slices
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready);
  assert.deepEqual(sorted(inSlices.flatMap(({ addresses }) => addresses)), ready, 'addresses in slices');
  const older = (await all(Endpoints)).filter(({ metadata }) => metadata?.name === GUARDED);
  const inOlder = older.flatMap(({ subsets }) => subsets ?? []).flatMap(({ addresses }) => addresses ?? []);
  assert.deepEqual(sorted(inOlder.map(({ ip }) => ip)), ready, 'addresses in the older form');
  const space = (await all(Namespace)).find(({ metadata }) => metadata?.name === SIDE_NAMESPACE);
  assert.equal(space?.metadata?.deletionTimestamp, undefined, 'a namespace does not go');
  if (space === undefined)
    for (const object of Object.values(seen).flat())
      assert.notEqual(object.metadata.namespace, SIDE_NAMESPACE, 'outlives its namespace');
}

function nothingIsOnItsWayOut(seen: Seen): void {
  for (const { kind, metadata } of Object.values(seen).flat())
    assert.equal(
      metadata?.deletionTimestamp,
      undefined,
      `${kind} ${metadata.name} does not go: ${metadata?.finalizers}`,
    );
}

function nobodyHasLostItsOwner(seen: Seen): void {
  const objects = Object.values(seen).flat();
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  for (const { kind, metadata } of objects)
    for (const owner of metadata?.ownerReferences ?? [])
      assert.ok(
        uids.has(owner.uid),
        `${kind} ${metadata.name} belongs to ${owner.kind} ${owner.name}, which is gone`,
      );
}

function replicaSetIsAsItSays(set: ReplicaSet, seen: Seen): void {
  const { metadata, spec, status } = set;
  const name = `replica set ${metadata?.name}`;
  const own = activeOf(set, seen);
  assert.equal(own.length, spec?.replicas, `${name} has its replicas`);
  assert.equal(status?.replicas ?? 0, own.length, `${name} says how many`);
  assert.equal(status?.readyReplicas ?? 0, own.filter(isReady).length, `${name} says how many are ready`);
  assert.equal(status?.observedGeneration, metadata?.generation, `${name} has been looked at`);
}

function deploymentIsAsItSays(deployment: Deployment, seen: Seen, hasRoom: boolean): void {
  const { metadata, spec, status } = deployment;
  const name = `deployment ${metadata?.name}`;
  const sets = seen.sets.filter((set) => controllerOf(set)?.uid === metadata?.uid);
  const own = sets.flatMap((set) => activeOf(set, seen));
  assert.equal(status?.observedGeneration, metadata?.generation, `${name} has been looked at`);
  assert.equal(status?.replicas ?? 0, own.length, `${name} says how many`);
  assert.equal(status?.readyReplicas ?? 0, own.filter(isReady).length, `${name} says how many are ready`);
  const revisions = sets.map((set) => set.metadata?.annotations?.['deployment.kubernetes.io/revision']);
  assert.equal(new Set(revisions).size, sets.length, `${name} has revisions ${revisions.join()}`);
  const templates = sets.map(({ spec: of }) => of?.template?.spec?.containers[0]?.image);
  assert.equal(new Set(templates).size, sets.length, `${name} has sets for ${templates.join()}`);
  if (!hasRoom) return;
  const image = spec?.template.spec?.containers[0]?.image;
  assert.equal(own.length, spec?.replicas, `${name} has its replicas`);
  for (const pod of own) assert.equal(pod.spec?.containers[0]?.image, image, `${name} is rolled out`);
  assert.ok(own.every(isReady), `${name} is ready`);
  assert.equal(findCondition(status?.conditions, 'Progressing')?.reason, 'NewReplicaSetAvailable', name);
}

function statefulSetIsAsItSays(set: StatefulSet, seen: Seen, hasRoom: boolean): void {
  const { metadata, spec, status } = set;
  const name = `stateful set ${metadata?.name}`;
  const own = activeOf(set, seen);
  assert.equal(status?.observedGeneration, metadata?.generation, `${name} has been looked at`);
  assert.equal(status?.replicas ?? 0, own.length, `${name} says how many`);
  assert.equal(status?.readyReplicas ?? 0, own.filter(isReady).length, `${name} says how many are ready`);
  if (!hasRoom) return;
  const wanted = Array.from({ length: spec?.replicas ?? 0 }, (_, ordinal) => `${metadata?.name}-${ordinal}`);
  assert.deepEqual(
    sorted(own.map((pod) => pod.metadata?.name ?? '')),
    sorted(wanted),
    `${name} has its pods`,
  );
  const image = spec?.template.spec?.containers[0]?.image;
  for (const pod of own) assert.equal(pod.spec?.containers[0]?.image, image, `${name} is updated`);
  assert.equal(status?.currentRevision, status?.updateRevision, `${name} says that it is updated`);
}

function daemonSetIsAsItSays(set: DaemonSet, seen: Seen): void {
  const { metadata, status } = set;
  const name = `daemon set ${metadata?.name}`;
  const own = activeOf(set, seen);
  assert.equal(status?.observedGeneration, metadata?.generation, `${name} has been looked at`);
  assert.equal(own.length, NODES.length, `${name} has a pod for each node`);
  assert.equal(status?.desiredNumberScheduled, NODES.length, `${name} says how many`);
}

function jobIsOver(job: Job, seen: Seen, hasRoom: boolean): void {
  const { metadata, spec, status } = job;
  const name = `job ${metadata?.name}`;
  const own = seen.pods.filter((pod) => controllerOf(pod)?.uid === metadata?.uid);
  if (!hasRoom) return;
  const isComplete = isConditionTrue(status?.conditions, 'Complete');
  assert.ok(
    isComplete || isConditionTrue(status?.conditions, 'Failed'),
    `${name} is over: ${JSON.stringify(status)}`,
  );
  if (isComplete)
    assert.equal(status?.succeeded, spec?.completions, `${name} has succeeded as often as it should`);
  assert.equal(status?.active ?? 0, 0, `${name} says that nothing runs`);
  assert.deepEqual(status?.uncountedTerminatedPods ?? {}, {}, `${name} has counted everybody`);
  for (const pod of own) {
    assert.ok(isOver(pod), `${name} is over, and ${pod.metadata?.name} is not`);
    assert.deepEqual(pod.metadata?.finalizers ?? [], [], `${pod.metadata?.name} is free to go`);
  }
}

function activeOf(owner: KubeObject, { pods }: Seen): Pod[] {
  return pods.filter((pod) => controllerOf(pod)?.uid === owner.metadata?.uid && !isOver(pod));
}

const isOver = ({ status }: Pick<Pod, 'status'>): boolean =>
  ['Succeeded', 'Failed'].includes(status?.phase ?? '');
const isReady = ({ status }: Pod): boolean => isConditionTrue(status?.conditions, 'Ready');
const sorted = (texts: readonly string[]): string[] => texts.toSorted((a, b) => (a < b ? -1 : 1));
const ips = (pods: readonly Pod[]): string[] => sorted(pods.map(({ status }) => status?.podIP ?? ''));
