import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Node, Taint } from '@windlass/apimachinery/api/core/v1';

export type ReadonlyNode = Cached<Node>;
type ReadonlyTaint = DeepReadonly<Taint>;

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';

/** What a condition in a state means for new pods. */
const BY_CONDITION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
};

const OURS: ReadonlySet<string> = new Set([
  UNSCHEDULABLE,
  ...Object.values(BY_CONDITION).flatMap((states) => Object.values(states)),
]);

/** The taints with those that keep new pods away as the node's conditions have it; undefined when they are so. */
export function withConditionTaints(
  { spec, status }: ReadonlyNode,
  timeAdded: string,
): readonly ReadonlyTaint[] | undefined {
  const wanted = new Set(
    (status?.conditions ?? []).flatMap(({ type, status: state }) => BY_CONDITION[type]?.[state] ?? []),
  );
  if (spec?.unschedulable === true) wanted.add(UNSCHEDULABLE);
  const before = spec?.taints ?? [];
  const isStale = ({ key, effect }: ReadonlyTaint): boolean =>
    effect === 'NoSchedule' && OURS.has(key) && !wanted.has(key);
  const has = new Set(before.filter(({ effect }) => effect === 'NoSchedule').map(({ key }) => key));
  const missing = [...wanted].filter((key) => !has.has(key));
  if (missing.length === 0 && !before.some(isStale)) return undefined;
  return [
    ...before.filter((taint) => !isStale(taint)),
    ...missing.map((key) => ({ key, effect: 'NoSchedule', timeAdded })),
  ];
}

/** Which taint moves pods off a node whose readiness is this; undefined when none does. */
const EVICTING: Readonly<Record<string, string | undefined>> = { False: NOT_READY, Unknown: UNREACHABLE };

const isEvicting = ({ key, effect }: ReadonlyTaint): boolean =>
  effect === 'NoExecute' && (key === NOT_READY || key === UNREACHABLE);

/** Whether pods are moved off the node, for whatever reason of ours. */
export function isEvicted({ spec }: ReadonlyNode): boolean {
  return (spec?.taints ?? []).some(isEvicting);
}

/** The taints with the one that moves pods off the node; undefined when they are so. */
export function withEvictionTaint(
  { spec }: ReadonlyNode,
  readiness: string,
  timeAdded: string,
): readonly ReadonlyTaint[] | undefined {
  const wanted = EVICTING[readiness];
  const before = spec?.taints ?? [];
  const has = before.filter(isEvicting);
  if (has.length === (wanted === undefined ? 0 : 1) && has.every(({ key }) => key === wanted))
    return undefined;
  const kept = before.filter((taint) => !isEvicting(taint) || taint.key === wanted);
  if (wanted === undefined || kept.some(isEvicting)) return kept;
  return [...kept, { key: wanted, effect: 'NoExecute', timeAdded }];
}
