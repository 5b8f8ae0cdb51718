import type { Clock } from '@windlass/base';
import type { PathHandler } from '../exchange/path-handler.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from '../flowcontrol/dump.ts';
import type { FlowControl } from '../flowcontrol/flow-control.ts';
import { textOf } from '../request/query-values.ts';

const PREFIX = '/debug/api_priority_and_fairness/';

/** What is under way at the priority levels, for people who look for the reason of a 429. */
export function flowControlPaths(flowControl: Pick<FlowControl, 'levels'>, clock: Clock): PathHandler {
  const dump = (name: string, includesDetails: boolean): string | undefined => {
    const { levels } = flowControl;
    switch (name) {
      case 'dump_priority_levels':
        return dumpPriorityLevels(levels);
      case 'dump_queues':
        return dumpQueues(levels);
      case 'dump_requests': {
        const times = { nowMs: clock.now(), monotonicMs: clock.monotonic() };
        return dumpRequests(levels, times, includesDetails);
      }
      default:
        return undefined;
    }
  };
  return ({ path, query = {} }) => {
    if (!path.startsWith(PREFIX)) return undefined;
    const body = dump(path.slice(PREFIX.length), textOf(query, 'includeRequestDetails') !== '');
    if (body === undefined) return undefined;
    return { type: 'bytes', status: 200, contentType: 'text/plain; charset=utf-8', body };
  };
}
