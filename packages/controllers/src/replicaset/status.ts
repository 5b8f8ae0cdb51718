import {
  type DeepReadonly,
  deepEqual,
  findCondition,
  formatTime,
  selectorFromLabels,
} from '@windlass/apimachinery';
import type { PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import { generationOf, labelsOf } from '../shared/meta.ts';
import { availableInMs, isReady, type ReadonlyPod } from '../shared/pods.ts';
import type { Replicated, ReplicatedCondition, ReplicatedStatus } from './replicated.ts';

export interface StatusInput {
  readonly set: DeepReadonly<Replicated>;
  readonly template: DeepReadonly<PodTemplateSpec> | undefined;
  readonly active: readonly ReadonlyPod[];
  /** Of the pods that are on their way out; undefined where the kind does not count them. */
  readonly terminating: number | undefined;
  /** Why pods could not be created or deleted. */
  readonly error: Error | undefined;
  readonly now: number;
}

export interface StatusOutput {
  readonly status: ReplicatedStatus;
  /** When the next pod becomes available by time alone, in milliseconds; Infinity when none does. */
  readonly nextAvailableInMs: number;
}

/** What there is, counted. */
export function replicatedStatus({
  set,
  template,
  active,
  terminating,
  error,
  now,
}: StatusInput): StatusOutput {
  const { spec } = set;
  const fully = selectorFromLabels(template?.metadata?.labels);
  let [labeled, ready, available, next] = [0, 0, 0, Number.POSITIVE_INFINITY];
  const minReadySeconds = spec?.minReadySeconds ?? 0;
  for (const pod of active) {
    if (fully.matches(labelsOf(pod))) labeled++;
    if (!isReady(pod)) continue;
    ready++;
    const inMs = availableInMs(pod, minReadySeconds, now);
    if (inMs === 0) available++;
    else next = Math.min(next, inMs);
  }
  const status: ReplicatedStatus = {
    replicas: active.length,
    fullyLabeledReplicas: labeled,
    readyReplicas: ready,
    availableReplicas: available,
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    observedGeneration: generationOf(set),
  };
  const conditions = conditionsAfter(set, active.length - (spec?.replicas ?? 1), error, now);
  if (conditions.length > 0) status.conditions = conditions;
  return { status, nextAvailableInMs: next };
}

/** ReplicaFailure says that the last attempt failed. It stays as it came, until one succeeds. */
function conditionsAfter(
  { status }: DeepReadonly<Replicated>,
  difference: number,
  error: Error | undefined,
  now: number,
): ReplicatedCondition[] {
  const conditions = (status?.conditions ?? []).map((condition) => ({ ...condition }));
  const failure = findCondition(conditions, 'ReplicaFailure');
  if (error === undefined) return conditions.filter((condition) => condition !== failure);
  if (failure !== undefined) return conditions;
  return [
    ...conditions,
    {
      type: 'ReplicaFailure',
      status: 'True',
      lastTransitionTime: formatTime(now),
      reason: difference < 0 ? 'FailedCreate' : 'FailedDelete',
      message: error.message,
    },
  ];
}

/** Whether there is nothing to write. An absent count is zero: servers leave it out. */
export function isSameStatus(
  old: DeepReadonly<ReplicatedStatus> | undefined,
  next: DeepReadonly<ReplicatedStatus>,
): boolean {
  const counts = [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'terminatingReplicas',
    'observedGeneration',
  ] as const;
  return (
    counts.every((field) => (old?.[field] ?? 0) === (next[field] ?? 0)) &&
    deepEqual(old?.conditions ?? [], next.conditions ?? [])
  );
}
