// What is under way at the priority levels, as tables for people: the columns are kube-apiserver's.
import { formatDurationNanos } from '@windlass/apimachinery';
import type { PriorityLevel } from './priority-level.ts';
import type { SeatRequest } from './queueing/seat-request.ts';

type Row = readonly (string | number | boolean)[];

/** What a dump needs to know of time: requests have times of a clock that only means differences. */
export interface DumpTimes {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

export function dumpPriorityLevels(levels: readonly PriorityLevel[]): string {
  const header: Row = [
    'PriorityLevelName',
    'ActiveQueues',
    'IsIdle',
    'IsQuiescing',
    'WaitingRequests',
    'ExecutingRequests',
    'DispatchedRequests',
    'RejectedRequests',
    'TimedoutRequests',
    'CancelledRequests',
  ];
  return table([
    header,
    ...levels.map(({ name, queues, isQuiescing, counts }): Row => {
      const active = queues.queues().filter(({ waiting }) => waiting.size > 0).length;
      const { dispatched, rejected, timedOut, cancelled } = counts;
      const { isIdle, waiting, executing } = queues;
      return [
        name,
        active,
        isIdle,
        isQuiescing,
        waiting,
        executing,
        dispatched,
        rejected,
        timedOut,
        cancelled,
      ];
    }),
  ]);
}

/** Queues that nobody uses are left out: there may be millions. */
export function dumpQueues(levels: readonly PriorityLevel[]): string {
  const header: Row = [
    'PriorityLevelName',
    'Index',
    'PendingRequests',
    'ExecutingRequests',
    'SeatsInUse',
    'NextDispatchR',
    'InitialSeatsSum',
    'MaxSeatsSum',
    'TotalWorkSum',
  ];
  const rows = levels.flatMap(({ name, queues }) =>
    queues.queues().map((queue): Row => {
      const initial = [...queue.waiting].reduce((sum, { estimate }) => sum + estimate.initialSeats, 0);
      return [
        name,
        queue.index,
        queue.waiting.size,
        queue.executing.size,
        queue.seatsInUse,
        seatSeconds(queue.nextDispatchR),
        initial,
        queue.waitingSeats,
        seatSeconds(queue.waitingWork),
      ];
    }),
  );
  return table([header, ...rows]);
}

export function dumpRequests(
  levels: readonly PriorityLevel[],
  times: DumpTimes,
  includesDetails: boolean,
): string {
  const header: Row = [
    'PriorityLevelName',
    'FlowSchemaName',
    'QueueIndex',
    'RequestIndexInQueue',
    'FlowDistingsher',
    'ArriveTime',
    'InitialSeats',
    'FinalSeats',
    'AdditionalLatency',
    'StartTime',
  ];
  const details: Row = [
    'UserName',
    'Verb',
    'APIPath',
    'Namespace',
    'Name',
    'APIVersion',
    'Resource',
    'SubResource',
  ];
  const rowOf = (level: string, request: SeatRequest, queueIndex: number, index: number): Row => [
    ...requestRow(level, request, queueIndex, index, times),
    ...(includesDetails ? detailsOf(request) : []),
  ];
  const rows = levels.flatMap(({ name, queues }) => [
    ...queues
      .queues()
      .flatMap((queue) => [
        ...[...queue.waiting].map((request, index) => rowOf(name, request, queue.index, index)),
        ...[...queue.executing].map((request) => rowOf(name, request, queue.index, -1)),
      ]),
    ...[...queues.queueless()].map((request) => rowOf(name, request, -1, -1)),
  ]);
  return table([[...header, ...(includesDetails ? details : [])], ...rows]);
}

function requestRow(
  level: string,
  { details, estimate, arrivedMs, startedMs, state }: SeatRequest,
  queueIndex: number,
  index: number,
  times: DumpTimes,
): Row {
  return [
    level,
    details.flowSchema,
    queueIndex,
    index,
    details.flowDistinguisher,
    timeText(arrivedMs, times),
    estimate.initialSeats,
    estimate.finalSeats,
    formatDurationNanos(BigInt(Math.round(estimate.lingerMs * 1e6))),
    state === 'waiting' ? '0001-01-01T00:00:00Z' : timeText(startedMs, times),
  ];
}

function detailsOf({ details: { info, user } }: SeatRequest): Row {
  const version = info.group === '' ? info.version : `${info.group}/${info.version}`;
  return [user, info.verb, info.path, info.namespace, info.name, version, info.resource, info.subresource];
}

function timeText(ms: number, { nowMs, monotonicMs }: DumpTimes): string {
  return new Date(nowMs - (monotonicMs - ms)).toISOString();
}

function seatSeconds(value: number): string {
  return `${value.toFixed(8)}ss`;
}

/** Columns of the width of their longest value. Each but the last has a comma after it. */
function table(rows: readonly Row[]): string {
  const texts = rows.map((row) => row.map((cell, index) => `${cell}${index === row.length - 1 ? '' : ','}`));
  const widths: number[] = [];
  for (const row of texts)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 8, cell.length + 1);
  return texts
    .map((row) =>
      row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))),
    )
    .map((row) => `${row.join('')}\n`)
    .join('');
}
