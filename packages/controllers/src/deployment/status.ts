import { type DeepReadonly, findCondition, parseTime } from '@windlass/apimachinery';
import type { DeploymentCondition, DeploymentStatus } from '@windlass/apimachinery/api/apps/v1';
import { generationOf } from '../shared/meta.ts';
import {
  maxUnavailableOf,
  type ReadonlyDeployment,
  type ReadonlyReplicaSet,
  replicasOf,
  specReplicas,
  sum,
} from './arithmetic.ts';
import { newCondition, withCondition, withoutCondition, withRefreshedCondition } from './conditions.ts';

/** No deadline at all. */
const NO_DEADLINE = 2 ** 31 - 1;

export type ReadonlyStatus = DeepReadonly<DeploymentStatus>;

export interface StatusInput {
  readonly deployment: ReadonlyDeployment;
  readonly all: readonly ReadonlyReplicaSet[];
  readonly current: ReadonlyReplicaSet | undefined;
  readonly now: number;
}

export function hasProgressDeadline({ spec }: ReadonlyDeployment): boolean {
  return spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== NO_DEADLINE;
}

/** What there is, counted over all sets, and whether that is enough. */
export function deploymentStatus({ deployment, all, current, now }: StatusInput): DeploymentStatus {
  const available = sum(all.map(({ status }) => status?.availableReplicas ?? 0));
  const enough = available >= replicasOf(deployment) - maxUnavailableOf(deployment);
  const conditions = withCondition(
    (deployment.status?.conditions ?? []).map((condition) => ({ ...condition })),
    enough
      ? newCondition(
          'Available',
          'True',
          'MinimumReplicasAvailable',
          'Deployment has minimum availability.',
          now,
        )
      : newCondition(
          'Available',
          'False',
          'MinimumReplicasUnavailable',
          'Deployment does not have minimum availability.',
          now,
        ),
  );
  const { collisionCount } = deployment.status ?? {};
  // A set of an older controller does not say, and then the sum would be a lie.
  const terminating = all.map(({ status }) => status?.terminatingReplicas);
  return {
    observedGeneration: generationOf(deployment),
    replicas: sum(all.map(({ status }) => status?.replicas ?? 0)),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum(all.map(({ status }) => status?.readyReplicas ?? 0)),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, specReplicas(all) - available),
    ...(terminating.every((count) => count !== undefined) && { terminatingReplicas: sum(terminating) }),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: [...conditions],
  };
}

/** As above, with how the rollout goes on: it is done, it moves, or it has stood still for too long. */
export function rolloutStatus(input: StatusInput): DeploymentStatus {
  const { deployment, all, current, now } = input;
  const status = deploymentStatus(input);
  let conditions: readonly DeploymentCondition[] = status.conditions ?? [];
  if (!hasProgressDeadline(deployment)) conditions = withoutCondition(conditions, 'Progressing');
  const before = findCondition(deployment.status?.conditions, 'Progressing');
  const isOver = status.replicas === status.updatedReplicas && before?.reason === 'NewReplicaSetAvailable';
  if (hasProgressDeadline(deployment) && !isOver) {
    const subject =
      current === undefined
        ? `Deployment "${deployment.metadata.name}"`
        : `ReplicaSet "${current.metadata.name}"`;
    const say = (state: 'True' | 'False', reason: string, what: string): DeploymentCondition =>
      newCondition('Progressing', state, reason, `${subject} ${what}`, now);
    if (isComplete(deployment, status))
      conditions = withCondition(
        conditions,
        say('True', 'NewReplicaSetAvailable', 'has successfully progressed.'),
      );
    else if (isProgressing(deployment.status, status))
      conditions = withRefreshedCondition(conditions, say('True', 'ReplicaSetUpdated', 'is progressing.'));
    else if (hasTimedOut(deployment, conditions, now))
      conditions = withCondition(
        conditions,
        say('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'),
      );
  }
  const failure = replicaFailure(all, current);
  conditions =
    failure === undefined
      ? withoutCondition(conditions, 'ReplicaFailure')
      : withCondition(conditions, failure);
  return { ...status, conditions: [...conditions] };
}

/** All pods are new, all are available, and no other is left. */
export function isComplete(deployment: ReadonlyDeployment, status: ReadonlyStatus | undefined): boolean {
  const desired = replicasOf(deployment);
  return (
    (status?.updatedReplicas ?? 0) === desired &&
    (status?.replicas ?? 0) === desired &&
    (status?.availableReplicas ?? 0) === desired &&
    (status?.observedGeneration ?? 0) >= generationOf(deployment)
  );
}

function isProgressing(old: ReadonlyStatus | undefined, next: ReadonlyStatus): boolean {
  const oldPods = (status: ReadonlyStatus | undefined): number =>
    (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    (next.updatedReplicas ?? 0) > (old?.updatedReplicas ?? 0) ||
    oldPods(next) < oldPods(old) ||
    (next.readyReplicas ?? 0) > (old?.readyReplicas ?? 0) ||
    (next.availableReplicas ?? 0) > (old?.availableReplicas ?? 0)
  );
}

function deadlineOf(
  deployment: ReadonlyDeployment,
  condition: DeepReadonly<DeploymentCondition>,
): number | undefined {
  const from = condition.lastUpdateTime;
  if (from === undefined || from === null) return undefined;
  return parseTime(from) + (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000;
}

function hasTimedOut(
  deployment: ReadonlyDeployment,
  conditions: readonly DeploymentCondition[],
  now: number,
): boolean {
  const condition = findCondition(conditions, 'Progressing');
  if (condition === undefined || condition.reason === 'NewReplicaSetAvailable') return false;
  if (condition.reason === 'ProgressDeadlineExceeded') return true;
  const deadline = deadlineOf(deployment, condition);
  return deadline !== undefined && deadline < now;
}

/** When to look again whether a rollout that stands still has timed out, in milliseconds. Undefined: never. */
export function checkDeadlineInMs(
  deployment: ReadonlyDeployment,
  status: ReadonlyStatus,
  now: number,
): number | undefined {
  const condition = findCondition(deployment.status?.conditions, 'Progressing');
  if (!hasProgressDeadline(deployment) || condition === undefined) return undefined;
  if (isComplete(deployment, status) || condition.reason === 'ProgressDeadlineExceeded') return undefined;
  const deadline = deadlineOf(deployment, condition);
  if (deadline === undefined) return undefined;
  // The second more covers that times in objects are cut to seconds.
  return Math.max(0, deadline - now) + 1000;
}

/** What a set could not do; the new one's word first. */
function replicaFailure(
  all: readonly ReadonlyReplicaSet[],
  current: ReadonlyReplicaSet | undefined,
): DeploymentCondition | undefined {
  for (const set of current === undefined ? all : [current, ...all]) {
    const failure = findCondition(set.status?.conditions, 'ReplicaFailure');
    if (failure === undefined) continue;
    const { lastTransitionTime } = failure;
    return {
      ...failure,
      ...(lastTransitionTime !== undefined && { lastUpdateTime: lastTransitionTime }),
    };
  }
  return undefined;
}
