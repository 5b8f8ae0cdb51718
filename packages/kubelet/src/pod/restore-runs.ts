import type { FoundRun } from '../runtime/runtime.ts';
import { lost } from './container-changes.ts';
import type { ContainerRecord, PodRecord, Terminated } from './pod-record.ts';
import type { FormerContainer } from './restore-record.ts';

/**
 * Corrects what the pod's status says by what the runtime says: an agent that was killed may have started or lost
 * containers after it wrote the status.
 * @param known the containers that run by the status
 * @returns the containers that run
 */
export function restoreRuns(
  record: PodRecord,
  known: readonly FormerContainer[],
  found: readonly FoundRun[],
  now: number,
): FormerContainer[] {
  const running: FormerContainer[] = [];
  for (const container of record.containers.values()) {
    const runs = found
      .filter((run) => run.container === container.name)
      .toSorted((a, b) => b.attempt - a.attempt);
    const [latest, before] = runs;
    const former = known.find((each) => each.record === container);
    if (latest === undefined) {
      if (former !== undefined) lost(container, former, now);
      continue;
    }
    container.restartCount = latest.attempt;
    container.image = latest.image;
    const last = before === undefined ? undefined : endOf(before);
    if (latest.exit === undefined) {
      if (last !== undefined && container.last?.id !== last.id) container.last = last;
      running.push({ record: container, id: latest.id, startedAt: latest.startedAt });
    } else takeEnd(container, latest, last);
  }
  return running;
}

/** Its end may be in the status already: also as the last one of a container that waits to be started again. */
function takeEnd(container: ContainerRecord, latest: FoundRun, last: Terminated | undefined): void {
  const { phase } = container;
  if (phase.kind === 'terminated' && phase.id === latest.id) return;
  if (phase.kind === 'waiting' && container.last?.id === latest.id) return;
  const end = endOf(latest);
  if (end === undefined) return;
  if (last !== undefined && container.last?.id !== last.id) container.last = last;
  container.phase = end;
}

function endOf({ exit, id, startedAt }: FoundRun): Terminated | undefined {
  if (exit === undefined) return undefined;
  const { exitCode, message, finishedAt } = exit;
  return {
    kind: 'terminated',
    id,
    exitCode,
    reason: exit.reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
    ...(message !== undefined && { message }),
    startedAt,
    finishedAt,
  };
}
