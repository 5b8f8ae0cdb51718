import type { ContainerStateTerminated, ContainerStatus, Pod } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { isConditionTrue, timeOf } from '../../shared/columns.ts';

/** What a table says of a pod. */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  /** One word: what most deserves to be known of the pod. */
  readonly reason: string;
  readonly restarts: number;
  /** Milliseconds. */
  readonly lastRestart: number | undefined;
}

/** Restarts are counted together with when the last one was. */
class Restarts {
  count = 0;
  last: number | undefined = undefined;

  add({ restartCount = 0, lastState }: View<ContainerStatus>): void {
    this.count += restartCount;
    const finished = timeOf(lastState?.terminated?.finishedAt);
    if (finished !== undefined && finished > (this.last ?? 0)) this.last = finished;
  }
}

export function summaryOf({ metadata, spec, status }: View<Pod>): PodSummary {
  const initContainers = spec?.initContainers ?? [];
  const sidecars = new Set(
    initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const total = (spec?.containers ?? []).length + sidecars.size;
  let reason = status?.reason || status?.phase || '';
  const isGated = (status?.conditions ?? []).some(
    (condition) => condition.type === 'PodScheduled' && condition.reason === 'SchedulingGated',
  );
  if (isGated) reason = 'SchedulingGated';

  let ready = 0;
  let restarts = new Restarts();
  const ofSidecars = new Restarts();
  let isInitializing = false;
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    const isSidecar = sidecars.has(container.name);
    restarts.add(container);
    if (isSidecar) ofSidecars.add(container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated !== undefined && (terminated.exitCode ?? 0) === 0) continue;
    if (isSidecar && container.started === true) {
      if (container.ready === true) ready++;
      continue;
    }
    const why = waiting?.reason ?? '';
    if (terminated !== undefined) reason = `Init:${terminated.reason || endOf(terminated)}`;
    else if (why !== '' && why !== 'PodInitializing') reason = `Init:${why}`;
    else reason = `Init:${index}/${initContainers.length}`;
    isInitializing = true;
    break;
  }

  if (!isInitializing || isConditionTrue(status?.conditions, 'Initialized')) {
    restarts = ofSidecars;
    let hasRunning = false;
    for (const container of (status?.containerStatuses ?? []).toReversed()) {
      restarts.add(container);
      const { terminated, waiting, running } = container.state ?? {};
      if ((waiting?.reason ?? '') !== '') reason = waiting?.reason ?? '';
      else if (terminated !== undefined) reason = terminated.reason || endOf(terminated);
      else if (container.ready === true && running !== undefined) {
        hasRunning = true;
        ready++;
      }
    }
    if (reason === 'Completed' && hasRunning)
      reason = isConditionTrue(status?.conditions, 'Ready') ? 'Running' : 'NotReady';
  }

  if (metadata?.deletionTimestamp !== undefined) {
    const phase = status?.phase;
    if (status?.reason === 'NodeLost') reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') reason = 'Terminating';
  }
  return { ready, total, reason, restarts: restarts.count, lastRestart: restarts.last };
}

/** How a container ended that gave no reason. */
function endOf({ signal = 0, exitCode = 0 }: View<ContainerStateTerminated>): string {
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}
