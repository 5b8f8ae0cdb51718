// What a disruption budget allows, from its pods and from how many there should be.
import {
  type Cached,
  deepCopy,
  formatTime,
  isBeingDeleted,
  parseTime,
  scaledIntOrPercent,
  setCondition,
} from '@windlass/apimachinery';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '@windlass/apimachinery/api/policy/v1';
import type { Clock } from '@windlass/base';
import { generationOf } from '../shared/meta.ts';
import { isReady, type ReadonlyPod } from '../shared/pods.ts';

export type ReadonlyBudget = Cached<PodDisruptionBudget>;

/** A pod that was allowed to be evicted, and is still there after this, counts again. */
const DELETION_TIMEOUT_MS = 120_000;

/** Whether the budget is a share of how many there should be, and not only of how many there are. */
export function needsScale({ spec }: ReadonlyBudget): boolean {
  return spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === 'string';
}

export interface Expectation {
  readonly expected: number;
  readonly desiredHealthy: number;
}

export function expectationOf({ spec }: ReadonlyBudget, pods: number, scale: number): Expectation {
  if (spec?.maxUnavailable !== undefined) {
    const unavailable = scaledIntOrPercent(spec.maxUnavailable, scale, true);
    return { expected: scale, desiredHealthy: Math.max(0, scale - unavailable) };
  }
  if (typeof spec?.minAvailable === 'string')
    return { expected: scale, desiredHealthy: scaledIntOrPercent(spec.minAvailable, scale, true) };
  return { expected: pods, desiredHealthy: spec?.minAvailable ?? 0 };
}

export interface BudgetOutput {
  readonly status: PodDisruptionBudgetStatus;
  /** Pods that were allowed to go, and did not. */
  readonly overdue: readonly ReadonlyPod[];
  /** When the next of them is; undefined when there is none. */
  readonly checkInMs: number | undefined;
}

export function budgetStatus(
  budget: ReadonlyBudget,
  pods: readonly ReadonlyPod[],
  { expected, desiredHealthy }: Expectation,
  clock: Clock,
): BudgetOutput {
  const now = clock.now();
  const disrupted: Record<string, string> = {};
  const overdue: ReadonlyPod[] = [];
  const waits: number[] = [];
  for (const pod of pods) {
    const since = budget.status?.disruptedPods?.[pod.metadata.name];
    if (since === undefined || isBeingDeleted(pod)) continue;
    const leftMs = parseTime(since) + DELETION_TIMEOUT_MS - now;
    if (leftMs <= 0) overdue.push(pod);
    else {
      disrupted[pod.metadata.name] = since;
      waits.push(leftMs);
    }
  }
  const healthy = pods.filter(
    (pod) => !isBeingDeleted(pod) && isReady(pod) && !(pod.metadata.name in disrupted),
  ).length;
  const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desiredHealthy);
  return {
    overdue,
    checkInMs: waits.length === 0 ? undefined : Math.min(...waits),
    status: {
      ...withAllowed(
        budget,
        allowed > 0 ? ['True', 'SufficientPods'] : ['False', 'InsufficientPods'],
        '',
        clock,
      ),
      currentHealthy: healthy,
      desiredHealthy,
      expectedPods: expected,
      disruptionsAllowed: allowed,
      ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
      observedGeneration: generationOf(budget),
    },
  };
}

/** When nobody can tell how many there should be, nothing may be disrupted. */
export function failedStatus(
  budget: ReadonlyBudget,
  message: string,
  clock: Clock,
): PodDisruptionBudgetStatus {
  const status = deepCopy<PodDisruptionBudgetStatus>(
    budget.status ?? { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
  );
  return {
    ...status,
    ...withAllowed(budget, ['False', 'SyncFailed'], message, clock),
    disruptionsAllowed: 0,
    observedGeneration: generationOf(budget),
  };
}

function withAllowed(
  budget: ReadonlyBudget,
  [status, reason]: readonly [string, string],
  message: string,
  clock: Clock,
): Pick<PodDisruptionBudgetStatus, 'conditions'> {
  const conditions = deepCopy<NonNullable<PodDisruptionBudgetStatus['conditions']>>(
    budget.status?.conditions ?? [],
  );
  const observedGeneration = generationOf(budget);
  const next = { type: 'DisruptionAllowed', status, reason, message, observedGeneration };
  const lastTransitionTime = formatTime(clock.now());
  return {
    conditions: [...setCondition(conditions, { ...next, lastTransitionTime }, clock).conditions],
  };
}
