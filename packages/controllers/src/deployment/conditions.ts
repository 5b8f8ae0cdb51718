import { findCondition, formatTime } from '@windlass/apimachinery';
import type { DeploymentCondition } from '@windlass/apimachinery/api/apps/v1';

type Conditions = readonly DeploymentCondition[];

export type ConditionType = 'Available' | 'Progressing' | 'ReplicaFailure';

export function newCondition(
  type: ConditionType,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: number,
): DeploymentCondition {
  const time = formatTime(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

/**
 * The condition comes last, in place of the one of its type. One that says the same for the same reason
 * stays as it was, with its message and its times.
 */
export function withCondition(conditions: Conditions, next: DeploymentCondition): Conditions {
  const current = findCondition(conditions, next.type);
  if (current !== undefined && current.status === next.status && current.reason === next.reason)
    return conditions;
  const rest = withoutCondition(conditions, next.type);
  if (current?.status !== next.status || current.lastTransitionTime === undefined) return [...rest, next];
  return [...rest, { ...next, lastTransitionTime: current.lastTransitionTime }];
}

/** As `withCondition`, and the time of the update moves even if nothing else does. */
export function withRefreshedCondition(conditions: Conditions, next: DeploymentCondition): Conditions {
  const current = findCondition(conditions, next.type);
  const since = current?.status === next.status ? current.lastTransitionTime : undefined;
  return [
    ...withoutCondition(conditions, next.type),
    since === undefined ? next : { ...next, lastTransitionTime: since },
  ];
}

export function withoutCondition(conditions: Conditions, type: string): Conditions {
  return conditions.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;
}
