import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { findCondition, formatTime } from '@windlass/apimachinery';
import type { ContainerStatus, Pod, PodCondition } from '@windlass/apimachinery/api/core/v1';
import { isTerminalPhase, type Phase } from './pod-phase.ts';
import { type PodRecord, rolesOf } from './pod-record.ts';
import { isInProgress } from './resize.ts';

const PENDING = 'PodResizePending';
const IN_PROGRESS = 'PodResizeInProgress';

/** Conditions that are there only while they hold. */
export const PASSING_CONDITIONS: ReadonlySet<string> = new Set([PENDING, IN_PROGRESS]);

interface Statement {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

export interface ConditionsInput {
  readonly pod: Cached<Pod>;
  readonly record: PodRecord;
  readonly phase: Phase;
  readonly statuses: ReadonlyMap<string, ContainerStatus>;
  /** What the server has. */
  readonly before: readonly DeepReadonly<PodCondition>[];
  readonly now: number;
}

/** The conditions that a node agent states; those of others are not among them. */
export function podConditions(input: ConditionsInput): PodCondition[] {
  const { pod, record, phase, before, now } = input;
  const containersReady = areContainersReady(input);
  const stated: [string, Statement][] = [
    ['PodReadyToStartContainers', { status: hasSandbox(record, phase) ? 'True' : 'False' }],
    ['Initialized', isInitialized(input)],
    ['Ready', isReady(input, containersReady)],
    ['ContainersReady', containersReady],
    ['PodScheduled', { status: 'True' }],
  ];
  const { disruption } = record.forcedEnd ?? {};
  if (disruption !== undefined) stated.push(['DisruptionTarget', { status: 'True', ...disruption }]);
  const { resizePending } = record;
  if (resizePending !== undefined) stated.push([PENDING, { status: 'True', ...resizePending }]);
  if ([...record.containers.values()].some(isInProgress)) stated.push([IN_PROGRESS, { status: 'True' }]);
  const { generation } = pod.metadata ?? {};
  return stated.map(([type, { status, reason, message }]) => {
    const known = findCondition(before, type);
    const since = known?.status === status ? known.lastTransitionTime : undefined;
    return {
      lastProbeTime: null,
      lastTransitionTime: since ?? formatTime(now),
      ...(message !== undefined && { message }),
      ...(generation !== undefined && { observedGeneration: generation }),
      ...(reason !== undefined && { reason }),
      status,
      type,
    };
  });
}

/** The sandbox lives as long as something may run in it. */
function hasSandbox({ podIP }: PodRecord, phase: Phase): boolean {
  return podIP !== undefined && !isTerminalPhase(phase);
}

function isInitialized({ pod, record, phase, statuses }: ConditionsInput): Statement {
  if (record.isInitialized)
    return phase === 'Succeeded' ? { status: 'True', reason: 'PodCompleted' } : { status: 'True' };
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  const missing = rolesOf(pod).filter(({ spec, role }) => {
    const status = statuses.get(spec.name);
    if (role === 'main' || role === 'ephemeral') return false;
    return role === 'sidecar' ? status?.started !== true : status?.ready !== true;
  });
  if (missing.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${missing.map(({ spec }) => spec.name).join(' ')}]`,
  };
}

function areContainersReady({ pod, phase, statuses }: ConditionsInput): Statement {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const unready = rolesOf(pod)
    .filter(
      ({ spec, role }) => role !== 'init' && role !== 'ephemeral' && statuses.get(spec.name)?.ready !== true,
    )
    .map(({ spec }) => spec.name);
  if (unready.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  };
}

function isReady({ pod }: ConditionsInput, containersReady: Statement): Statement {
  if (containersReady.status === 'False') return containersReady;
  const problems: string[] = [];
  for (const { conditionType } of pod.spec?.readinessGates ?? []) {
    const gate = findCondition(pod.status?.conditions, conditionType);
    if (gate === undefined)
      problems.push(`corresponding condition of pod readiness gate "${conditionType}" does not exist.`);
    else if (gate.status !== 'True')
      problems.push(`the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`);
  }
  if (problems.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}
