// When a child counts as ready, by its kind. The rules are those of kubectl's `rollout status` and `wait`.
import type { Cached, Condition, DeepReadonly, KubeObject, ResourceType } from '@windlass/apimachinery';
import { findCondition, isConditionTrue } from '@windlass/apimachinery';
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import { Namespace, PersistentVolumeClaim, Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { type KindReadiness, type Readiness, type ReadinessAnswer, readyWhen } from './child.ts';

const READY: Readiness = { state: 'ready', message: 'ready' };
const failed = (message: string): Readiness => ({ state: 'failed', message });
const waiting = (message: string): Readiness => ({ state: 'waiting', message });

const NOT_OBSERVED = 'its controller has not seen the last change yet';

interface Observed {
  readonly metadata: { readonly generation?: number };
  readonly status?: { readonly observedGeneration?: number };
}

/** Whether the status speaks of the spec that is there now. */
function isObserved({ metadata, status }: Observed): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

function counted(have: number | undefined, want: number, what: string): ReadinessAnswer {
  return (have ?? 0) >= want || `${have ?? 0} of ${want} ${what}`;
}

const BUILT_IN: readonly KindReadiness[] = [
  readyWhen(Deployment, (deployment) => {
    const { spec, status } = deployment;
    if (!isObserved(deployment)) return NOT_OBSERVED;
    const progressing = findCondition(status?.conditions, 'Progressing');
    if (progressing?.reason === 'ProgressDeadlineExceeded')
      return failed(progressing.message ?? 'it did not progress in time');
    const want = spec?.replicas ?? 1;
    if ((status?.updatedReplicas ?? 0) < want)
      return `${status?.updatedReplicas ?? 0} of ${want} replicas are updated`;
    if ((status?.replicas ?? 0) > want)
      return `${(status?.replicas ?? 0) - want} old replicas are still there`;
    return counted(status?.availableReplicas, want, 'replicas are available');
  }),
  readyWhen(StatefulSet, (set) => {
    const { spec, status } = set;
    if (!isObserved(set)) return NOT_OBSERVED;
    const want = spec?.replicas ?? 1;
    if ((status?.readyReplicas ?? 0) < want)
      return counted(status?.readyReplicas, want, 'replicas are ready');
    // With a partition, or updates on deletion, old pods are there to stay.
    const { type = 'RollingUpdate', rollingUpdate } = spec?.updateStrategy ?? {};
    if (type !== 'RollingUpdate' || (rollingUpdate?.partition ?? 0) > 0) return true;
    return (
      status?.updateRevision === status?.currentRevision ||
      counted(status?.updatedReplicas, want, 'replicas are updated')
    );
  }),
  readyWhen(DaemonSet, (set) => {
    const { spec, status } = set;
    if (!isObserved(set)) return NOT_OBSERVED;
    const want = status?.desiredNumberScheduled ?? 0;
    if (spec?.updateStrategy?.type !== 'OnDelete' && (status?.updatedNumberScheduled ?? 0) < want)
      return counted(status?.updatedNumberScheduled, want, 'pods are updated');
    return counted(status?.numberAvailable, want, 'pods are available');
  }),
  readyWhen(ReplicaSet, (set) =>
    isObserved(set)
      ? counted(set.status?.availableReplicas, set.spec?.replicas ?? 1, 'replicas are available')
      : NOT_OBSERVED,
  ),
  readyWhen(Job, ({ spec, status }) => {
    const problem = findCondition(status?.conditions, 'Failed');
    if (problem?.status === 'True') return failed(problem.message ?? 'it failed');
    if (isConditionTrue(status?.conditions, 'Complete')) return true;
    if (spec?.suspend === true) return 'it is suspended';
    return `${status?.succeeded ?? 0} of ${spec?.completions ?? 1} completions are done`;
  }),
  readyWhen(Pod, ({ status }) => {
    if (status?.phase === 'Succeeded') return true;
    if (status?.phase === 'Failed') return failed(status.message ?? 'it failed');
    return isConditionTrue(status?.conditions, 'Ready') || `its phase is ${status?.phase ?? 'not known yet'}`;
  }),
  readyWhen(PersistentVolumeClaim, ({ status }) => {
    if (status?.phase === 'Lost') return failed('its volume is lost');
    return status?.phase === 'Bound' || 'it is not bound';
  }),
  readyWhen(Service, ({ spec, status }) => {
    if (spec?.type !== 'LoadBalancer') return true;
    return (status?.loadBalancer?.ingress?.length ?? 0) > 0 || 'its load balancer has no address yet';
  }),
  readyWhen(Namespace, ({ status }) => status?.phase === 'Active' || 'it is not active'),
];

interface WithConditions {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly DeepReadonly<Condition>[];
  };
}

/** Any other kind: ready by its Ready condition if it has one, else because it is there. */
function byCondition(object: Cached<KubeObject>): ReadinessAnswer {
  // What a status holds is the kind's own affair; many have these two fields, and both are checked below.
  const { status } = object as Cached<KubeObject> & WithConditions;
  const generation = object.metadata.generation ?? 0;
  if (typeof status?.observedGeneration === 'number' && status.observedGeneration < generation)
    return NOT_OBSERVED;
  if (!Array.isArray(status?.conditions)) return true;
  const ready = findCondition(status?.conditions, 'Ready');
  if (ready === undefined) return true;
  if ((ready.observedGeneration ?? generation) < generation) return NOT_OBSERVED;
  if (ready.status === 'True') return true;
  return ready.message ? ready.message : `its condition Ready is ${ready.status}`;
}

export function isSameKind(a: ResourceType, b: ResourceType): boolean {
  return a.group === b.group && a.kind === b.kind;
}

/** What the first test says that is for the object: the child's own, then those of its kind, then ours. */
export function readinessOf(
  type: ResourceType,
  object: Cached<KubeObject>,
  own?: KindReadiness['ready'],
  ofKinds: readonly KindReadiness[] = [],
): Readiness {
  const test =
    own ?? [...ofKinds, ...BUILT_IN].find((known) => isSameKind(known.type, type))?.ready ?? byCondition;
  const answer = test(object);
  if (answer === true) return READY;
  if (answer === false) return waiting('it is not ready');
  return typeof answer === 'string' ? waiting(answer) : answer;
}
