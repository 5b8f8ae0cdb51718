// How many pods each replica set gets. Numbers in, numbers out.
import { type Cached, scaledIntOrPercent } from '@windlass/apimachinery';
import type { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { byCreation } from '../shared/meta.ts';
import { desiredReplicasAnnotation, maxReplicasAnnotation } from './annotations.ts';

export type ReadonlyDeployment = Cached<Deployment>;
export type ReadonlyReplicaSet = Cached<ReplicaSet>;

export const replicasOf = (object: ReadonlyDeployment | ReadonlyReplicaSet): number =>
  object.spec?.replicas ?? 1;

const availableOf = ({ status }: ReadonlyReplicaSet): number => status?.availableReplicas ?? 0;

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0);

export const specReplicas = (sets: readonly ReadonlyReplicaSet[]): number => sum(sets.map(replicasOf));

export const activeSets = <T extends ReadonlyReplicaSet>(sets: readonly T[]): T[] =>
  sets.filter((set) => replicasOf(set) > 0);

export function isRolling({ spec }: ReadonlyDeployment): boolean {
  return spec?.strategy?.type !== 'Recreate';
}

/** Surge rounds up and unavailability down; where both come to 0, one may be unavailable, or nothing would move. */
export function fenceposts(deployment: ReadonlyDeployment): {
  readonly surge: number;
  readonly unavailable: number;
} {
  const desired = replicasOf(deployment);
  const { maxSurge = 0, maxUnavailable = 0 } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const surge = scaledIntOrPercent(maxSurge, desired, true);
  const unavailable = scaledIntOrPercent(maxUnavailable, desired, false);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

export function maxSurgeOf(deployment: ReadonlyDeployment): number {
  return isRolling(deployment) ? fenceposts(deployment).surge : 0;
}

export function maxUnavailableOf(deployment: ReadonlyDeployment): number {
  const desired = replicasOf(deployment);
  if (!isRolling(deployment) || desired === 0) return 0;
  return Math.min(fenceposts(deployment).unavailable, desired);
}

/** The size of the new set after the next step up. */
export function newSetSize(
  deployment: ReadonlyDeployment,
  all: readonly ReadonlyReplicaSet[],
  current: number,
): number {
  const desired = replicasOf(deployment);
  if (!isRolling(deployment)) return desired;
  const room = desired + maxSurgeOf(deployment) - specReplicas(all);
  return room <= 0 ? current : current + Math.min(room, desired - current);
}

/** One set and the size that it is to have. */
export interface Resize<T extends ReadonlyReplicaSet = ReadonlyReplicaSet> {
  readonly set: T;
  readonly replicas: number;
}

/**
 * The next step down of a rolling update: first pods that do not work anyway, of the oldest set first; then
 * as many that work as may be missing.
 */
export function scaleDownOld<T extends ReadonlyReplicaSet>(
  deployment: ReadonlyDeployment,
  old: readonly T[],
  current: ReadonlyReplicaSet | undefined,
): Resize<T>[] {
  const active = activeSets(old).toSorted(byCreation);
  if (active.length === 0) return [];
  const all = current === undefined ? active : [...active, current];
  const minAvailable = replicasOf(deployment) - maxUnavailableOf(deployment);
  const newUnavailable = current === undefined ? 0 : replicasOf(current) - availableOf(current);
  let mayGo = specReplicas(all) - minAvailable - newUnavailable;
  if (mayGo <= 0) return [];
  const sizes = new Map(active.map((set) => [set, replicasOf(set)]));
  for (const set of active) {
    const broken = Math.min(mayGo, replicasOf(set) - availableOf(set));
    if (broken <= 0) continue;
    sizes.set(set, replicasOf(set) - broken);
    mayGo -= broken;
  }
  let healthyMayGo = sum(all.map(availableOf)) - minAvailable;
  for (const [set, size] of sizes) {
    const step = Math.min(size, healthyMayGo);
    if (step <= 0) continue;
    sizes.set(set, size - step);
    healthyMayGo -= step;
  }
  return [...sizes]
    .filter(([set, size]) => size !== replicasOf(set))
    .map(([set, replicas]) => ({ set, replicas }));
}

/** The one set whose size is that of the deployment; undefined while several share it. */
export function onlySet<T extends ReadonlyReplicaSet>(
  current: T | undefined,
  old: readonly T[],
): T | undefined {
  const newestFirst = old.toSorted((a, b) => byCreation(b, a));
  const active = activeSets(current === undefined ? newestFirst : [...newestFirst, current]);
  if (active.length > 1) return undefined;
  return active[0] ?? current ?? newestFirst[0];
}

/** The new set has taken over: whatever old ones have is too much. */
export function isSaturated(
  deployment: ReadonlyDeployment,
  current: ReadonlyReplicaSet | undefined,
): boolean {
  if (current === undefined) return false;
  const desired = replicasOf(deployment);
  return (
    replicasOf(current) === desired &&
    desiredReplicasAnnotation(current) === desired &&
    availableOf(current) === desired
  );
}

/** How much of a change in size falls to one set: its share of what the deployment was when it was last scaled. */
function shareOf(set: ReadonlyReplicaSet, deployment: ReadonlyDeployment): number {
  const size = replicasOf(set);
  if (replicasOf(deployment) === 0) return -size;
  const before = maxReplicasAnnotation(set) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.round((size * (replicasOf(deployment) + maxSurgeOf(deployment))) / before) - size;
}

/**
 * A deployment that is scaled in the middle of a rollout: all sets grow or shrink in proportion, so that the
 * risk stays what it was. Larger ones come first; of equal ones the newer grows and the older shrinks. What
 * rounding leaves goes to the first. Every active set is named, also one that keeps its size.
 */
export function scaleInProportion<T extends ReadonlyReplicaSet>(
  deployment: ReadonlyDeployment,
  sets: readonly T[],
): Resize<T>[] {
  const active = activeSets(sets);
  const desired = replicasOf(deployment);
  const toAdd = (desired > 0 ? desired + maxSurgeOf(deployment) : 0) - specReplicas(active);
  const sign = toAdd > 0 ? -1 : 1;
  const sorted = active.toSorted((a, b) => replicasOf(b) - replicasOf(a) || sign * byCreation(a, b));
  let added = 0;
  const sizes = sorted.map((set) => {
    const left = toAdd - added;
    const share = left === 0 ? 0 : shareOf(set, deployment);
    const part = left === 0 ? 0 : toAdd > 0 ? Math.min(share, left) : Math.max(share, left);
    added += part;
    return replicasOf(set) + part;
  });
  const [first] = sizes;
  if (first !== undefined && toAdd !== 0) sizes[0] = Math.max(0, first + toAdd - added);
  return sorted.map((set, index) => ({ set, replicas: sizes[index] ?? replicasOf(set) }));
}
