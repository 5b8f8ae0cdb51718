// Where pods are missing and where they are too many, whatever their template.
import { isBeingDeleted, scaledIntOrPercent } from '@windlass/apimachinery';
import { labelsOf } from '../shared/meta.ts';
import { isAvailable, isReady, type ReadonlyPod } from '../shared/pods.ts';
import { REVISION_HASH } from '../shared/revisions.ts';
import type { ReadonlyDaemonSet } from './daemon-pods.ts';
import { eligibilityFor, type ReadonlyNode } from './eligibility.ts';

export interface PlacementInput {
  readonly set: ReadonlyDaemonSet;
  readonly nodes: readonly ReadonlyNode[];
  readonly byNode: ReadonlyMap<string, readonly ReadonlyPod[]>;
  /** Of the present template. */
  readonly hash: string;
  readonly now: number;
}

/** A pod that has ended on a node which should go on to run one. */
export interface EndedPod {
  readonly pod: ReadonlyPod;
  readonly node: string;
}

export interface Placement {
  /** Names of nodes. */
  readonly create: readonly string[];
  readonly delete: readonly ReadonlyPod[];
  /** To be deleted as well, but not too often: whatever makes them fail may make the next one fail, too. */
  readonly failed: readonly EndedPod[];
  /** To be deleted as well. */
  readonly succeeded: readonly EndedPod[];
}

export function placePods({ set, nodes, byNode, hash, now }: PlacementInput): Placement {
  const eligibility = eligibilityFor(set);
  const surges = allowsSurge(set);
  const create: string[] = [];
  const [deleted, failed, succeeded]: [ReadonlyPod[], EndedPod[], EndedPod[]] = [[], [], []];
  for (const node of nodes) {
    const name = node.metadata.name;
    const there = byNode.get(name);
    const { shouldRun, shouldContinue } = eligibility(node);
    if (there === undefined) {
      if (shouldRun) create.push(name);
      continue;
    }
    const staying = there.filter((pod) => !isBeingDeleted(pod));
    if (!shouldContinue) {
      deleted.push(...staying);
      continue;
    }
    const running: ReadonlyPod[] = [];
    for (const pod of staying) {
      if (pod.status?.phase === 'Failed') failed.push({ pod, node: name });
      else if (pod.status?.phase === 'Succeeded') succeeded.push({ pod, node: name });
      else running.push(pod);
    }
    if (!surges) deleted.push(...running.slice(1));
    // With surge one that is on its way out does not keep the next one from coming.
    else if (running.length === 0 && shouldRun) create.push(name);
    else deleted.push(...excessWhileSurging(set, running, hash, now));
  }
  return { create, delete: [...deleted, ...strandedPods(nodes, byNode)], failed, succeeded };
}

/** One old pod and one new one may be there at once, as long as the old one works and the new one not yet. */
function excessWhileSurging(
  set: ReadonlyDaemonSet,
  running: readonly ReadonlyPod[],
  hash: string,
  now: number,
): readonly ReadonlyPod[] {
  const isNew = (pod: ReadonlyPod): boolean => labelsOf(pod)[REVISION_HASH] === hash;
  const newest = running.find(isNew);
  const oldest = running.find((pod) => !isNew(pod));
  const excess = running.filter((pod) => pod !== newest && pod !== oldest);
  if (newest === undefined || oldest === undefined) return excess;
  const isDue = !isReady(oldest) || isAvailable(newest, set.spec?.minReadySeconds ?? 0, now);
  return isDue ? [...excess, oldest] : excess;
}

/** No scheduler will ever bind them, and nobody else deletes them. */
function strandedPods(
  nodes: readonly ReadonlyNode[],
  byNode: ReadonlyMap<string, readonly ReadonlyPod[]>,
): ReadonlyPod[] {
  const known = new Set(nodes.map(({ metadata }) => metadata.name));
  return [...byNode]
    .filter(([node]) => !known.has(node))
    .flatMap(([, pods]) => pods.filter(({ spec }) => !spec?.nodeName));
}

/** How many pods may come before old ones go, of so many. */
export function surgeOf(set: ReadonlyDaemonSet, total: number): number {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (type === 'OnDelete' || rollingUpdate?.maxSurge === undefined) return 0;
  return scaledIntOrPercent(rollingUpdate.maxSurge, total, true);
}

export const allowsSurge = (set: ReadonlyDaemonSet): boolean => surgeOf(set, 1) > 0;
