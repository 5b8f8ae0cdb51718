import { findCondition, isBeingDeleted, parseTime } from '@windlass/apimachinery';
import type { AutoscalerSettings } from '../options/autoscaler-options.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import type { PodMetric, PodMetrics } from './metrics-reader.ts';

/** Pods by what their metrics are worth. Names of pods. */
export interface PodGroups {
  readonly ready: number;
  /** They may use less than they will: their metrics do not count. */
  readonly unready: ReadonlySet<string>;
  /** They run, and nobody knows what they use. */
  readonly missing: ReadonlySet<string>;
  /** They do no work any more. */
  readonly ignored: ReadonlySet<string>;
}

export function groupPods(
  pods: readonly ReadonlyPod[],
  metrics: PodMetrics,
  resource: string | undefined,
  now: number,
  settings: AutoscalerSettings,
): PodGroups {
  const [unready, missing, ignored] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let ready = 0;
  for (const pod of pods) {
    const name = pod.metadata.name;
    const metric = metrics.get(name);
    if (isBeingDeleted(pod) || pod.status?.phase === 'Failed') ignored.add(name);
    else if (pod.status?.phase === 'Pending') unready.add(name);
    else if (metric === undefined) missing.add(name);
    else if (resource === 'cpu' && isWarmingUp(pod, metric, now, settings)) unready.add(name);
    else ready++;
  }
  return { ready, unready, missing, ignored };
}

/** Starting takes processor time, which is why this is for no other resource. */
function isWarmingUp(
  { status }: ReadonlyPod,
  { timestamp, windowMs }: PodMetric,
  now: number,
  { cpuInitializationMs, initialReadinessDelayMs }: AutoscalerSettings,
): boolean {
  const condition = findCondition(status?.conditions, 'Ready');
  const start = status?.startTime;
  if (condition === undefined || !start) return true;
  const changed = condition.lastTransitionTime ? parseTime(condition.lastTransitionTime) : 0;
  const started = parseTime(start);
  const isUnready = condition.status === 'False';
  // The metric must be all of a time when the pod was ready.
  if (started + cpuInitializationMs > now) return isUnready || timestamp < changed + windowMs;
  return isUnready && started + initialReadinessDelayMs > changed;
}
