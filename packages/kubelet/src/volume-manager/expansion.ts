// When a volume has grown, and what is said of it; the decisions, without the doing.
import type { DeepReadonly } from '@windlass/apimachinery';
import { compareQuantities, formatTime } from '@windlass/apimachinery';
import type { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { grpcCode } from './errors.ts';
import type { WantedVolume } from './volume.ts';

const STORAGE = 'storage';

/** What the volume has grown to; undefined: the claim has all that there is. */
export function grownTo(volume: WantedVolume): string | undefined {
  if (volume.kind !== 'csi' || volume.isReadOnly) return undefined;
  const { status } = volume.claim;
  const capacity = volume.volume.spec?.capacity?.[STORAGE];
  const known = status?.capacity?.[STORAGE];
  if (capacity === undefined || known === undefined || compareQuantities(capacity, known) <= 0)
    return undefined;
  // Somebody has to ask for less first.
  return status?.allocatedResourceStatuses?.[STORAGE] === 'NodeResizeInfeasible' ? undefined : capacity;
}

/** Whether a node has something to do for the claim. */
export function awaitsNode({ status }: DeepReadonly<PersistentVolumeClaim>): boolean {
  return (
    status?.allocatedResourceStatuses?.[STORAGE]?.startsWith('NodeResize') === true ||
    status?.conditions?.some(({ type }) => type === 'FileSystemResizePending') === true
  );
}

/** A driver that says this will say it each time. */
const INFEASIBLE: ReadonlySet<string> = new Set(['INVALID_ARGUMENT', 'OUT_OF_RANGE', 'NOT_FOUND']);

export function isInfeasible(error: unknown): boolean {
  return INFEASIBLE.has(grpcCode(error) ?? '');
}

/** Conditions of a resize; they end with it. */
const OVER: ReadonlySet<string> = new Set([
  'FileSystemResizePending',
  'Resizing',
  'ControllerResizeError',
  'NodeResizeError',
]);

/** The claim's status once the volume has grown, as a merge patch. */
export function grownStatus({ status }: DeepReadonly<PersistentVolumeClaim>, capacity: string): object {
  const { conditions = [], capacity: before, allocatedResourceStatuses } = status ?? {};
  return {
    capacity: { ...before, [STORAGE]: capacity },
    conditions: conditions.filter(({ type }) => !OVER.has(type)),
    ...(allocatedResourceStatuses?.[STORAGE] !== undefined && {
      allocatedResourceStatuses: { [STORAGE]: null },
    }),
  };
}

/** The claim's status when its volume will never grow so far. */
export function infeasibleStatus(
  { status }: DeepReadonly<PersistentVolumeClaim>,
  message: string,
  now: number,
): object {
  const { conditions = [] } = status ?? {};
  return {
    allocatedResourceStatuses: { [STORAGE]: 'NodeResizeInfeasible' },
    conditions: [
      ...conditions.filter(({ type }) => type !== 'NodeResizeError'),
      { type: 'NodeResizeError', status: 'True', lastTransitionTime: formatTime(now), message },
    ],
  };
}
