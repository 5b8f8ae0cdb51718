import { type DeepReadonly, formatTime } from '@windlass/apimachinery';
import type { HorizontalPodAutoscalerCondition } from '@windlass/apimachinery/api/autoscaling/v2';
import type { Stated } from './scaling-rules.ts';

export type ScalingConditions = readonly DeepReadonly<HorizontalPodAutoscalerCondition>[];

/** The conditions with this one as it is now. It keeps its time unless its status changes. */
export function withState(
  conditions: ScalingConditions,
  type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited',
  { status, reason, message }: Stated,
  now: number,
): ScalingConditions {
  const old = conditions.find((condition) => condition.type === type);
  const lastTransitionTime =
    old?.status === status && old.lastTransitionTime ? old.lastTransitionTime : formatTime(now);
  const next = { type, status, lastTransitionTime, reason, message };
  return old === undefined
    ? [...conditions, next]
    : conditions.map((condition) => (condition === old ? next : condition));
}
