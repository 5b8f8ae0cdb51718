import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { deepEqual, formatTime } from '@windlass/apimachinery';
import type { ContainerStatus, Pod, PodCondition, PodStatus } from '@windlass/apimachinery/api/core/v1';
import { containerStatus } from './container-status.ts';
import { isEnding } from './next-step.ts';
import { PASSING_CONDITIONS, podConditions } from './pod-conditions.ts';
import { isTerminalPhase, type Phase, podPhase } from './pod-phase.ts';
import { type PodRecord, rolesOf } from './pod-record.ts';

export interface StatusFacts {
  readonly hostIP: string;
  readonly now: number;
}

/** Everything that the node agent says of a pod. Others' conditions are not in it. */
export function podStatus(pod: Cached<Pod>, record: PodRecord, { hostIP, now }: StatusFacts): PodStatus {
  const statuses = new Map<string, ContainerStatus>();
  for (const { spec } of rolesOf(pod)) {
    const container = record.containers.get(spec.name);
    if (container !== undefined) statuses.set(spec.name, containerStatus(spec, container));
  }
  const phase = phaseOf(pod, record);
  const conditions = podConditions({
    pod,
    record,
    phase,
    statuses,
    before: record.written.conditions ?? [],
    now,
  });
  const { generation } = pod.metadata ?? {};
  const { forcedEnd, podIP } = record;
  const reason = forcedEnd?.reason ?? record.written.reason;
  const message = forcedEnd?.message ?? record.written.message;
  const pick = (specs: DeepReadonly<{ name: string }[]> | undefined): ContainerStatus[] =>
    (specs ?? []).flatMap(({ name }) => statuses.get(name) ?? []);
  const ephemeral = pick(pod.spec?.ephemeralContainers);
  const inits = pick(pod.spec?.initContainers);
  return {
    conditions,
    containerStatuses: pick(pod.spec?.containers),
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(inits.length > 0 && { initContainerStatuses: inits }),
    ...(message !== undefined && message !== '' && { message }),
    ...(generation !== undefined && { observedGeneration: generation }),
    phase,
    ...(podIP !== undefined && { podIP, podIPs: [{ ip: podIP }] }),
    ...(reason !== undefined && reason !== '' && { reason }),
    startTime: record.written.startTime ?? formatTime(record.startedAt),
  };
}

/** A pod that has ended stays so. */
function phaseOf(pod: Cached<Pod>, record: PodRecord): Phase {
  for (const known of [record.written.phase, pod.status?.phase]) if (isTerminalPhase(known)) return known;
  const phase = podPhase(pod, record, isEnding(pod, record));
  // Who was made to end has failed, whatever code its containers gave.
  return record.forcedEnd !== undefined && phase === 'Succeeded' ? 'Failed' : phase;
}

/** The fields of `after` that the server does not have yet, as the status of a strategic patch. */
export function statusPatch(
  before: DeepReadonly<PodStatus>,
  after: PodStatus,
): Record<string, unknown> | undefined {
  const patch: Record<string, unknown> = {};
  // The status was made in this process, so it has no other fields than its type says.
  for (const field of Object.keys(after) as (keyof PodStatus)[])
    if (field !== 'conditions' && !deepEqual(before[field] ?? null, after[field] ?? null))
      patch[field] = after[field];
  const conditions: object[] = (after.conditions ?? []).flatMap((condition) => {
    const known = before.conditions?.find(({ type }) => type === condition.type);
    if (known !== undefined && isSameCondition(known, condition)) return [];
    // Items are merged field by field, so that what no longer holds has to be taken out.
    return [{ reason: null, message: null, ...condition }];
  });
  for (const { type } of before.conditions ?? [])
    if (PASSING_CONDITIONS.has(type) && after.conditions?.some((each) => each.type === type) !== true)
      conditions.push({ $patch: 'delete', type });
  // Conditions are merged by their type, so that those of others stay.
  if (conditions.length > 0) patch['conditions'] = conditions;
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function isSameCondition(a: DeepReadonly<PodCondition>, b: PodCondition): boolean {
  return (['status', 'reason', 'message', 'lastTransitionTime', 'observedGeneration'] as const).every(
    (field) => (a[field] ?? '') === (b[field] ?? ''),
  );
}
