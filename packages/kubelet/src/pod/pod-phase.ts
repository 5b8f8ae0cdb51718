import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { type ContainerRecord, lastEnd, type PodRecord, rolesOf } from './pod-record.ts';
import { isRestarted } from './restart-policy.ts';

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

export function isTerminalPhase(phase: string | undefined): phase is 'Succeeded' | 'Failed' {
  return phase === 'Succeeded' || phase === 'Failed';
}

/**
 * The phase that follows from the containers.
 * @param isEnding nothing will be started again, whatever the restart policy says
 */
export function podPhase(pod: Cached<Pod>, record: PodRecord, isEnding: boolean): Phase {
  const all = [...record.containers.values()];
  const isRunning = all.some(({ phase }) => phase.kind === 'running');
  if (isEnding && isRunning) return record.isInitialized ? 'Running' : 'Pending';
  if (!isEnding && !record.isInitialized) return hasFailedForGood(pod, record, 'init') ? 'Failed' : 'Pending';
  const mains = all.filter(({ role }) => role === 'main');
  const neverRan = (main: ContainerRecord): boolean =>
    main.phase.kind === 'waiting' && main.last === undefined;
  if (!record.isInitialized || mains.some(neverRan)) return isEnding ? 'Failed' : 'Pending';
  if (isRunning) return 'Running';
  if (!isEnding && restarts(pod, record, 'main')) return 'Running';
  return mains.every((main) => lastEnd(main)?.exitCode === 0) ? 'Succeeded' : 'Failed';
}

/** Whether a container of this role has failed and will not be tried again. */
export function hasFailedForGood(
  pod: Cached<Pod>,
  record: PodRecord,
  wanted: ContainerRecord['role'],
): boolean {
  return rolesOf(pod).some(({ spec, role }) => {
    const container = record.containers.get(spec.name);
    const end = container === undefined ? undefined : lastEnd(container);
    return (
      role === wanted &&
      end !== undefined &&
      end.exitCode !== 0 &&
      !isRestarted(pod, spec, role, end.exitCode)
    );
  });
}

function restarts(pod: Cached<Pod>, record: PodRecord, wanted: ContainerRecord['role']): boolean {
  return rolesOf(pod).some(({ spec, role }) => {
    const container = record.containers.get(spec.name);
    const end = container === undefined ? undefined : lastEnd(container);
    return role === wanted && end !== undefined && isRestarted(pod, spec, role, end.exitCode);
  });
}

/** Whether every main container has ended and stays so. */
export function areMainsDone(pod: Cached<Pod>, record: PodRecord): boolean {
  return rolesOf(pod).every(({ spec, role }) => {
    if (role !== 'main') return true;
    const container = record.containers.get(spec.name);
    const end = container === undefined ? undefined : lastEnd(container);
    return end !== undefined && !isRestarted(pod, spec, role, end.exitCode);
  });
}
