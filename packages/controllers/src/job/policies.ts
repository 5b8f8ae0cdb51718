// What a job's own policies make of pods that failed, and of indexes that succeeded.
import type { DeepReadonly } from '@windlass/apimachinery';
import type { PodFailurePolicyRule, SuccessPolicyRule } from '@windlass/apimachinery/api/batch/v1';
import type { ContainerStatus } from '@windlass/apimachinery/api/core/v1';
import type { ReadonlyPod } from '../shared/pods.ts';
import { parseIndexes } from './indexes.ts';
import type { ReadonlyJob } from './job-pods.ts';

export interface FailureVerdict {
  readonly action: 'Count' | 'Ignore' | 'FailJob' | 'FailIndex';
  /** For FailJob: why. */
  readonly message: string;
}

const COUNTED: FailureVerdict = { action: 'Count', message: '' };

/** The first rule that a failed pod matches decides; without one it counts. */
export function judgeFailure({ spec }: ReadonlyJob, pod: ReadonlyPod): FailureVerdict {
  // While it is only on its way out, how it will end is not known.
  if (spec?.podFailurePolicy === undefined || pod.status?.phase !== 'Failed') return COUNTED;
  for (const [index, rule] of spec.podFailurePolicy.rules.entries()) {
    const what = matchOf(rule, pod);
    if (what === undefined) continue;
    // The server takes no other actions.
    const action = rule.action as FailureVerdict['action'];
    return { action, message: `${what} matching ${action} rule at index ${index}` };
  }
  return COUNTED;
}

function matchOf(rule: DeepReadonly<PodFailurePolicyRule>, pod: ReadonlyPod): string | undefined {
  const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
  const { onExitCodes, onPodConditions = [] } = rule;
  if (onExitCodes !== undefined) {
    const { containerName, operator, values } = onExitCodes;
    const statuses: readonly DeepReadonly<ContainerStatus>[] = [
      ...(pod.status?.containerStatuses ?? []),
      ...(pod.status?.initContainerStatuses ?? []),
    ];
    for (const { name, state } of statuses) {
      const code = state?.terminated?.exitCode ?? 0;
      if (code === 0 || (containerName !== undefined && containerName !== name)) continue;
      if (values.includes(code) === (operator === 'In'))
        return `Container ${name} for pod ${key} failed with exit code ${code}`;
    }
  }
  for (const { type, status = 'True' } of onPodConditions)
    if (
      pod.status?.conditions?.some((condition) => condition.type === type && condition.status === status) ===
      true
    )
      return `Pod ${key} has condition ${type}`;
  return undefined;
}

/** Undefined when no rule is met yet. */
export function successMessage(
  rules: readonly DeepReadonly<SuccessPolicyRule>[],
  succeeded: ReadonlySet<number>,
  completions: number,
): string | undefined {
  for (const [index, { succeededIndexes, succeededCount }] of rules.entries()) {
    const wanted = succeededIndexes === undefined ? undefined : parseIndexes(succeededIndexes, completions);
    const done =
      wanted === undefined ? succeeded.size : [...wanted].filter((one) => succeeded.has(one)).length;
    const needed = succeededCount ?? wanted?.size ?? completions;
    if (done >= needed) return `Matched rules at index ${index}`;
  }
  return undefined;
}
