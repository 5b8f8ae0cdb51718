import type { DeepReadonly } from '@windlass/apimachinery';
import { deepCopy, formatTime } from '@windlass/apimachinery';
import type { Container, ContainerState, ContainerStatus } from '@windlass/apimachinery/api/core/v1';
import type { ContainerRecord, Terminated } from './pod-record.ts';

/** What people see of a container. */
export function containerStatus(spec: DeepReadonly<Container>, record: ContainerRecord): ContainerStatus {
  const { phase, last, image } = record;
  const id = phase.kind === 'waiting' ? last?.id : phase.id;
  const isRunning = phase.kind === 'running';
  const { requests } = record.allocated;
  const resources = isRunning ? record.actual : record.allocated;
  return {
    ...(requests !== undefined && { allocatedResources: { ...requests } }),
    ...(id !== undefined && { containerID: id }),
    image: image?.image ?? spec.image ?? '',
    imageID: image?.imageID ?? '',
    lastState: last === undefined ? {} : { terminated: terminatedState(last) },
    name: record.name,
    // A regular init container is ready once it has done its work.
    ready:
      record.role === 'init'
        ? phase.kind === 'terminated' && phase.exitCode === 0
        : isRunning && record.isReady,
    ...(Object.keys(resources).length > 0 && { resources: deepCopy(resources) }),
    restartCount: record.restartCount,
    started: isRunning && record.isStarted,
    state: stateOf(record),
  };
}

function stateOf({ phase }: ContainerRecord): ContainerState {
  switch (phase.kind) {
    case 'waiting':
      return {
        waiting: { reason: phase.reason, ...(phase.message !== undefined && { message: phase.message }) },
      };
    case 'running':
      return { running: { startedAt: formatTime(phase.startedAt) } };
    case 'terminated':
      return { terminated: terminatedState(phase) };
    default:
      return phase satisfies never;
  }
}

function terminatedState(end: Terminated): NonNullable<ContainerState['terminated']> {
  return {
    ...(end.id !== '' && { containerID: end.id }),
    exitCode: end.exitCode,
    finishedAt: formatTime(end.finishedAt),
    ...(end.message !== undefined && { message: end.message }),
    reason: end.reason,
    startedAt: formatTime(end.startedAt),
  };
}
