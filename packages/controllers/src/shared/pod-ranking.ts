import { parseInt32, parseTime } from '@windlass/apimachinery';
import { annotationsOf } from './meta.ts';
import { isReady, type ReadonlyPod, readySince } from './pods.ts';

/** Lower is deleted earlier. A whole number of 32 bits; anything else counts as 0. */
export const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/** Without a plus sign and leading zeros, which the annotation may not have. */
const COST = /^(?:0|-?[1-9][0-9]*)$/;

function deletionCost(pod: ReadonlyPod): number {
  const text = annotationsOf(pod)[DELETION_COST];
  if (text === undefined || !COST.test(text)) return 0;
  return parseInt32(text) ?? 0;
}

const PHASE_ORDER: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Of ordinary containers, and of those that restart beside them. */
function maxRestarts({ spec, status }: ReadonlyPod): readonly [number, number] {
  const sidecars = new Set(
    (spec?.initContainers ?? [])
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const most = (statuses: readonly { readonly restartCount: number }[] | undefined): number =>
    (statuses ?? []).reduce((max, { restartCount }) => Math.max(max, restartCount), 0);
  return [
    most(status?.containerStatuses),
    most(status?.initContainerStatuses?.filter(({ name }) => sidecars.has(name))),
  ];
}

/** Which of two ages is in a higher power of two of nanoseconds: small differences of old pods do not count. */
function logRank(since: number, now: number): number {
  const nanoseconds = (now - since) * 1e6;
  return nanoseconds > 0 ? Math.trunc(Math.log2(nanoseconds)) : -1;
}

/** Later first, and first of all what has no time. Within a power of two, uids decide: that is as good as chance. */
function byAge(
  a: ReadonlyPod,
  b: ReadonlyPod,
  [left, right]: readonly [number | undefined, number | undefined],
  now: number,
): number {
  if (left === right) return 0;
  if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
  const difference = logRank(left, now) - logRank(right, now);
  return difference !== 0 ? difference : a.metadata.uid < b.metadata.uid ? -1 : 1;
}

const created = ({ metadata }: ReadonlyPod): number => parseTime(metadata.creationTimestamp);

/** Negative: `a` is deleted before `b`. `rank` says how many pods of the same kind are on a pod's node. */
export function compareVictims(
  a: ReadonlyPod,
  b: ReadonlyPod,
  rank: (pod: ReadonlyPod) => number,
  now: number,
): number {
  const [nodeA, nodeB] = [a.spec?.nodeName ?? '', b.spec?.nodeName ?? ''];
  if (nodeA !== nodeB && (nodeA === '' || nodeB === '')) return nodeA === '' ? -1 : 1;
  const phase = (pod: ReadonlyPod): number => PHASE_ORDER[pod.status?.phase ?? ''] ?? 0;
  if (phase(a) !== phase(b)) return phase(a) - phase(b);
  if (isReady(a) !== isReady(b)) return isReady(a) ? 1 : -1;
  if (deletionCost(a) !== deletionCost(b)) return deletionCost(a) - deletionCost(b);
  if (rank(a) !== rank(b)) return rank(b) - rank(a);
  if (isReady(a)) {
    const order = byAge(a, b, [readySince(a), readySince(b)], now);
    if (order !== 0) return order;
  }
  const [restartsA, restartsB] = [maxRestarts(a), maxRestarts(b)];
  if (restartsA[0] !== restartsB[0]) return restartsB[0] - restartsA[0];
  if (restartsA[1] !== restartsB[1]) return restartsB[1] - restartsA[1];
  return byAge(a, b, [created(a), created(b)], now);
}

/**
 * The pods to delete when there are `count` too many: those whose loss costs least. Of several on one node,
 * among `related` ones (of all sets with one owner), the fullest node gives first.
 */
export function podsToDelete(
  pods: readonly ReadonlyPod[],
  count: number,
  related: readonly ReadonlyPod[],
  now: number,
): readonly ReadonlyPod[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const { spec } of related)
    onNode.set(spec?.nodeName ?? '', (onNode.get(spec?.nodeName ?? '') ?? 0) + 1);
  const rank = ({ spec }: ReadonlyPod): number => onNode.get(spec?.nodeName ?? '') ?? 0;
  return pods.toSorted((a, b) => compareVictims(a, b, rank, now)).slice(0, Math.max(0, count));
}
