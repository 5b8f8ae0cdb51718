import { type DeepReadonly, tolerates } from '@windlass/apimachinery';
import type { Taint, Toleration } from '@windlass/apimachinery/api/core/v1';

export type ReadonlyTaint = DeepReadonly<Taint>;

/**
 * A node that is not heard of any more changes from one of these to the other. For who waits, the time goes
 * on: so they count as one.
 */
const UNHEALTHY = new Set(['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']);

const causeOf = ({ key, value = '' }: ReadonlyTaint): string =>
  UNHEALTHY.has(key) ? 'unhealthy' : `${key}=${value}`;

/** Since when a pod has been under each taint, in milliseconds since 1970. */
export type Since = ReadonlyMap<string, number>;

/** What was known goes on, what is new begins now, what is gone is forgotten. */
export function sinceWhen(taints: readonly ReadonlyTaint[], before: Since, now: number): Since {
  return new Map(taints.map((taint) => [causeOf(taint), before.get(causeOf(taint)) ?? now]));
}

/** How long a taint is tolerated: 0 not at all, Infinity for ever. The shortest of what matches counts. */
export function toleratedMs(taint: ReadonlyTaint, tolerations: readonly DeepReadonly<Toleration>[]): number {
  const matching = tolerations.filter((toleration) => tolerates([toleration], taint));
  if (matching.length === 0) return 0;
  return Math.min(
    ...matching.map(({ tolerationSeconds: seconds }) =>
      seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(0, seconds * 1000),
    ),
  );
}

/** When a pod has to go, in milliseconds since 1970; Infinity when it may stay. */
export function evictionTime(
  taints: readonly ReadonlyTaint[],
  tolerations: readonly DeepReadonly<Toleration>[],
  since: Since,
): number {
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...taints.map((taint) => (since.get(causeOf(taint)) ?? 0) + toleratedMs(taint, tolerations)),
  );
}
