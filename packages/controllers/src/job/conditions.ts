import { findCondition, formatTime } from '@windlass/apimachinery';
import type { JobCondition } from '@windlass/apimachinery/api/batch/v1';

/** With a condition that is true. The very list when it said so before: the first reason stays. */
export function withTrue(
  conditions: readonly JobCondition[],
  type: string,
  { reason, message }: { readonly reason: string; readonly message: string },
  now: number,
): readonly JobCondition[] {
  if (findCondition(conditions, type)?.status === 'True') return conditions;
  const time = formatTime(now);
  const next = { type, status: 'True', lastProbeTime: time, lastTransitionTime: time, reason, message };
  return [...conditions.filter((condition) => condition.type !== type), next];
}

/** Says whether the job is suspended. The very list when it said so before, and for a job that never was. */
export function withSuspended(
  conditions: readonly JobCondition[],
  isSuspended: boolean,
  now: number,
): readonly JobCondition[] {
  const at = conditions.findIndex(({ type }) => type === 'Suspended');
  const status = isSuspended ? 'True' : 'False';
  if (conditions[at]?.status === status || (at === -1 && !isSuspended)) return conditions;
  const time = formatTime(now);
  const next = {
    type: 'Suspended',
    status,
    lastProbeTime: time,
    lastTransitionTime: time,
    reason: isSuspended ? 'JobSuspended' : 'JobResumed',
    message: isSuspended ? 'Job suspended' : 'Job resumed',
  };
  return at === -1 ? [...conditions, next] : conditions.with(at, next);
}
