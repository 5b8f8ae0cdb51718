import type { DeepReadonly } from '@windlass/apimachinery';
import type { ContainerStatus, Pod } from '@windlass/apimachinery/api/core/v1';
import type { PodItem } from '../protocol.ts';

export interface PodState {
  /** As kubectl's column STATUS. */
  readonly state: string;
  readonly mood: PodItem['mood'];
  readonly restarts: number;
}

/** One word for how a pod is, by kubectl's rules. */
export function podState(pod: DeepReadonly<Pod>): PodState {
  const { status = {}, metadata, spec } = pod;
  const containers = status.containerStatuses ?? [];
  const inits = status.initContainerStatuses ?? [];
  const restarts = [...containers, ...inits].reduce((sum, { restartCount }) => sum + restartCount, 0);
  const waiting = initState(inits, spec?.initContainers?.length ?? 0) ?? containerState(containers);
  const isReady =
    status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  let state = waiting ?? status.reason ?? status.phase ?? 'Pending';
  // A container that has ended beside one that runs.
  if (state === 'Completed' && containers.some(({ state }) => state?.running !== undefined))
    state = isReady ? 'Running' : 'NotReady';
  const isEnding = metadata?.deletionTimestamp !== undefined;
  if (isEnding) state = status.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  return { state, mood: isEnding ? 'ending' : moodOf(state, isReady), restarts };
}

function initState(statuses: readonly DeepReadonly<ContainerStatus>[], count: number): string | undefined {
  for (const [index, { state = {}, started, ready }] of statuses.entries()) {
    if (state.terminated?.exitCode === 0 || started === true || (ready && state.running !== undefined))
      continue;
    if (state.terminated !== undefined)
      return `Init:${state.terminated.reason ?? `ExitCode:${state.terminated.exitCode}`}`;
    const { reason } = state.waiting ?? {};
    return reason !== undefined && reason !== 'PodInitializing' ? `Init:${reason}` : `Init:${index}/${count}`;
  }
  return undefined;
}

function containerState(statuses: readonly DeepReadonly<ContainerStatus>[]): string | undefined {
  let found: string | undefined;
  for (const { state = {} } of statuses.toReversed()) {
    if (state.waiting?.reason !== undefined) found = state.waiting.reason;
    else if (state.terminated !== undefined) {
      const { reason, signal, exitCode } = state.terminated;
      found = reason ?? (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
    }
  }
  return found;
}

const WAITING = /^(?:Pending|ContainerCreating|PodInitializing|Init:\d|NotReady)/;

function moodOf(state: string, isReady: boolean): PodItem['mood'] {
  if (state === 'Running') return isReady ? 'well' : 'waiting';
  if (state === 'Succeeded' || state === 'Completed') return 'done';
  return WAITING.test(state) ? 'waiting' : 'ill';
}
