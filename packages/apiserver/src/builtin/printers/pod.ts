import { humanDuration } from '@windlass/apimachinery';
import type { TablePrinter } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  isConditionTrue,
  NONE,
  numberAt,
  printer,
  textAt,
  timeAt,
  wide,
} from './columns.ts';

export const podPrinter: TablePrinter = printer(
  [
    column('Ready'),
    column('Status'),
    column('Restarts'),
    AGE_COLUMN,
    wide('IP'),
    wide('Node'),
    wide('Nominated Node'),
    wide('Readiness Gates'),
  ],
  (pod, now) => {
    const spec = objectAt(pod, 'spec');
    const status = objectAt(pod, 'status');
    const { ready, total, reason, restarts, lastRestart } = summaryOf(pod);
    const address = objectsAt(status, 'podIPs')[0];
    return [
      `${ready}/${total}`,
      reason,
      restarts > 0 && lastRestart !== undefined
        ? `${restarts} (${humanDuration(now - lastRestart)} ago)`
        : String(restarts),
      ageOf(pod, now),
      textAt(address, 'ip', NONE),
      textAt(spec, 'nodeName', NONE),
      textAt(status, 'nominatedNodeName', NONE),
      readinessGates(pod, spec),
    ];
  },
);

interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** Milliseconds. */
  readonly lastRestart: number | undefined;
}

/** Restarts are counted together with when the last one was. */
class Restarts {
  count = 0;
  last: number | undefined = undefined;

  add(container: Fields): void {
    this.count += numberAt(container, 'restartCount');
    const finished = timeAt(objectAt(objectAt(container, 'lastState'), 'terminated'), 'finishedAt');
    if (finished !== undefined && finished > (this.last ?? 0)) this.last = finished;
  }
}

/** One word for a pod: what most deserves to be known of it. */
function summaryOf(pod: Stored): Summary {
  const spec = objectAt(pod, 'spec');
  const status = objectAt(pod, 'status');
  const initContainers = objectsAt(spec, 'initContainers');
  const sidecars = new Set(
    initContainers.filter((container) => container['restartPolicy'] === 'Always').map(({ name }) => name),
  );
  const total = objectsAt(spec, 'containers').length + sidecars.size;
  let reason = textAt(status, 'reason', textAt(status, 'phase'));
  const isGated = objectsAt(status, 'conditions').some(
    (condition) => condition['type'] === 'PodScheduled' && condition['reason'] === 'SchedulingGated',
  );
  if (isGated) reason = 'SchedulingGated';

  let ready = 0;
  let restarts = new Restarts();
  const ofSidecars = new Restarts();
  let isInitializing = false;
  for (const [index, container] of objectsAt(status, 'initContainerStatuses').entries()) {
    const isSidecar = sidecars.has(container['name']);
    restarts.add(container);
    if (isSidecar) ofSidecars.add(container);
    const state = objectAt(container, 'state');
    const terminated = objectAt(state, 'terminated');
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
    if (isSidecar && container['started'] === true) {
      if (container['ready'] === true) ready++;
      continue;
    }
    const waiting = textAt(objectAt(state, 'waiting'), 'reason');
    if (terminated !== undefined) reason = `Init:${textAt(terminated, 'reason', endOf(terminated))}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') reason = `Init:${waiting}`;
    else reason = `Init:${index}/${initContainers.length}`;
    isInitializing = true;
    break;
  }

  if (!isInitializing || isConditionTrue(pod, 'Initialized')) {
    restarts = ofSidecars;
    let hasRunning = false;
    for (const container of objectsAt(status, 'containerStatuses').toReversed()) {
      restarts.add(container);
      const state = objectAt(container, 'state');
      const waiting = textAt(objectAt(state, 'waiting'), 'reason');
      const terminated = objectAt(state, 'terminated');
      if (waiting !== '') reason = waiting;
      else if (textAt(terminated, 'reason') !== '') reason = textAt(terminated, 'reason');
      else if (terminated !== undefined) reason = endOf(terminated);
      else if (container['ready'] === true && objectAt(state, 'running') !== undefined) {
        hasRunning = true;
        ready++;
      }
    }
    if (reason === 'Completed' && hasRunning) reason = isConditionTrue(pod, 'Ready') ? 'Running' : 'NotReady';
  }

  if (pod.metadata?.deletionTimestamp !== undefined) {
    const phase = status?.['phase'];
    if (status?.['reason'] === 'NodeLost') reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') reason = 'Terminating';
  }
  return { ready, total, reason, restarts: restarts.count, lastRestart: restarts.last };
}

/** How a container ended that gave no reason. */
function endOf(terminated: Fields): string {
  const signal = numberAt(terminated, 'signal');
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`;
}

function readinessGates(pod: Stored, spec: Fields | undefined): string {
  const gates = objectsAt(spec, 'readinessGates');
  if (gates.length === 0) return NONE;
  const open = gates.filter((gate) => isConditionTrue(pod, textAt(gate, 'conditionType')));
  return `${open.length}/${gates.length}`;
}
