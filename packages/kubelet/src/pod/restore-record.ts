import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { parseTime } from '@windlass/apimachinery';
import type { ContainerStatus, Pod } from '@windlass/apimachinery/api/core/v1';
import type { ContainerRecord, PodRecord, Terminated } from './pod-record.ts';

/** A container that ran when the status was written; only the runtime knows whether it still does. */
export interface FormerContainer {
  readonly record: ContainerRecord;
  readonly id: string;
  readonly startedAt: number;
}

/**
 * Fills a new record with what an agent before this one has written in the pod's status.
 * @returns the containers that are to be looked for
 */
export function restoreRecord(pod: Cached<Pod>, record: PodRecord): FormerContainer[] {
  const { status } = pod;
  if (status?.startTime === undefined) return [];
  record.startedAt = parseTime(status.startTime);
  record.podIP = status.podIP;
  const statuses = [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  const running: FormerContainer[] = [];
  for (const known of statuses) {
    const container = record.containers.get(known.name);
    if (container === undefined) continue;
    restoreContainer(known, container);
    const { state } = known;
    if (typeof state?.running?.startedAt === 'string' && known.containerID !== undefined)
      running.push({
        record: container,
        id: known.containerID,
        startedAt: parseTime(state.running.startedAt),
      });
  }
  record.isInitialized ||=
    status.conditions?.some(({ type, status: value }) => type === 'Initialized' && value === 'True') === true;
  return running;
}

function restoreContainer(known: DeepReadonly<ContainerStatus>, record: ContainerRecord): void {
  record.restartCount = known.restartCount;
  record.isStarted = known.started === true;
  record.isReady = known.ready;
  const { resources = record.actual, allocatedResources } = known;
  record.actual = resources;
  record.allocated = {
    ...resources,
    ...(allocatedResources !== undefined && { requests: allocatedResources }),
  };
  if (known.imageID !== '')
    record.image = { image: known.image, imageID: known.imageID, sizeBytes: 0, wasPresent: true };
  const last = terminated(known.lastState?.terminated);
  if (last !== undefined) record.last = last;
  const { waiting, terminated: ended } = known.state ?? {};
  const end = terminated(ended);
  if (end !== undefined) record.phase = end;
  else if (waiting?.reason !== undefined)
    record.phase = {
      kind: 'waiting',
      reason: waiting.reason,
      ...(waiting.message !== undefined && { message: waiting.message }),
    };
}

function terminated(
  state: DeepReadonly<NonNullable<ContainerStatus['state']>>['terminated'],
): Terminated | undefined {
  if (state === undefined) return undefined;
  const { containerID = '', exitCode, reason = '', message, startedAt, finishedAt } = state;
  const end = typeof finishedAt === 'string' ? parseTime(finishedAt) : 0;
  return {
    kind: 'terminated',
    id: containerID,
    exitCode,
    reason,
    ...(message !== undefined && { message }),
    startedAt: typeof startedAt === 'string' ? parseTime(startedAt) : end,
    finishedAt: end,
  };
}
