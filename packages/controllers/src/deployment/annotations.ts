// What a deployment and its replica sets remember about each other.
import { type Cached, type KubeObject, parseInt32, parseInt64 } from '@windlass/apimachinery';
import type { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { annotationsOf } from '../shared/meta.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';
export const ROLLBACK_TO = 'deprecated.deployment.rollback.to';

/** These are about one object alone. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  ROLLBACK_TO,
]);

const MAX_HISTORY_CHARS = 2000;

/** One more than the highest: a number of 64 bits, which wraps as it does in Go. */
export const nextRevision = (sets: readonly Cached<ReplicaSet>[]): bigint =>
  BigInt.asIntN(64, sets.map(revisionOf).reduce((max, one) => (one > max ? one : max), 0n) + 1n);

/** 0 when it has none, or no whole number of 64 bits. */
export const revisionOf = (object: Cached<KubeObject>): bigint =>
  parseInt64(annotationsOf(object)[REVISION] ?? '') ?? 0n;

export const desiredReplicasAnnotation = (set: Cached<ReplicaSet>): number | undefined =>
  parseInt32(annotationsOf(set)[DESIRED_REPLICAS] ?? '');
export const maxReplicasAnnotation = (set: Cached<ReplicaSet>): number | undefined =>
  parseInt32(annotationsOf(set)[MAX_REPLICAS] ?? '');

/** Oldest first; a comparison, as `sort` takes it. */
export function byRevision(a: Cached<ReplicaSet>, b: Cached<ReplicaSet>): number {
  const [left, right] = [revisionOf(a), revisionOf(b)];
  return left < right ? -1 : Number(left > right);
}

export interface SizeAnnotations {
  readonly desired: number;
  readonly max: number;
}

/** The annotations with these sizes in them; the same ones when they are. */
export function withSizes(
  annotations: Readonly<Record<string, string>>,
  { desired, max }: SizeAnnotations,
): Readonly<Record<string, string>> {
  if (annotations[DESIRED_REPLICAS] === String(desired) && annotations[MAX_REPLICAS] === String(max))
    return annotations;
  return { ...annotations, [DESIRED_REPLICAS]: String(desired), [MAX_REPLICAS]: String(max) };
}

/**
 * The annotations of the set that has the deployment's template now: those of the deployment, and the
 * revision. A set that is used again takes a new revision, and keeps the old one as history. The same
 * object when nothing changes.
 */
export function newSetAnnotations(
  deployment: Cached<Deployment>,
  current: Readonly<Record<string, string>>,
  revision: bigint,
): Readonly<Record<string, string>> {
  const copied = Object.entries(annotationsOf(deployment)).filter(
    ([key, value]) => !NOT_COPIED.has(key) && current[key] !== value,
  );
  const next = copied.length === 0 ? current : { ...current, ...Object.fromEntries(copied) };
  const old = current[REVISION];
  const number = old === undefined || old === '' ? 0n : parseInt64(old);
  // Somebody else's text is left alone, and the set with it.
  if (number === undefined) return current;
  if (number >= revision) return next;
  return {
    ...next,
    [REVISION]: String(revision),
    ...(old !== undefined && { [REVISION_HISTORY]: withRevision(current[REVISION_HISTORY] ?? '', old) }),
  };
}

/** Oldest revisions go when the text becomes too long. */
function withRevision(history: string, revision: string): string {
  if (history === '') return revision;
  const revisions = [...history.split(','), revision];
  while (revisions.length > 1 && revisions.join(',').length > MAX_HISTORY_CHARS) revisions.shift();
  return revisions.join(',');
}
