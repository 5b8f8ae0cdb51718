import {
  type Cached,
  type DeepReadonly,
  hasFinalizer,
  isBeingDeleted,
  type OwnerReference,
} from '@windlass/apimachinery';
import type { PartialObjectMetadata } from '@windlass/client';
import { FOREGROUND_FINALIZER, type GraphNode, ORPHAN_FINALIZER } from './graph.ts';

type Reference = DeepReadonly<OwnerReference>;

/** The owners that an object names, by what they are. */
export interface Owners {
  /** They are there, and stay. */
  readonly solid: readonly Reference[];
  /** They are not there. */
  readonly dangling: readonly Reference[];
  /** They are on their way out, and wait for their dependents. */
  readonly waiting: readonly Reference[];
}

export type Decision =
  | { readonly type: 'keep' }
  /** It has owners to stay for; these are to be taken off it. */
  | { readonly type: 'strip'; readonly owners: readonly string[] }
  | {
      readonly type: 'delete';
      readonly policy: 'Foreground' | 'Background' | 'Orphan';
      /** A circle of objects that wait for each other: it must not block its owners any more. */
      readonly unblock: boolean;
    };

/** Whether an owner that is there waits for its dependents. */
export function isWaiting(owner: Cached<PartialObjectMetadata>): boolean {
  return isBeingDeleted(owner) && hasFinalizer(owner, FOREGROUND_FINALIZER);
}

/** What becomes of an object with such owners. */
export function decide(
  node: GraphNode,
  latest: Cached<PartialObjectMetadata>,
  { solid, dangling, waiting }: Owners,
): Decision {
  if (solid.length > 0) {
    if (dangling.length === 0 && waiting.length === 0) return { type: 'keep' };
    return { type: 'strip', owners: [...dangling, ...waiting].map(({ uid }) => uid) };
  }
  if (waiting.length > 0 && node.dependents.size > 0)
    return {
      type: 'delete',
      policy: 'Foreground',
      unblock: [...node.dependents].some(({ isDeletingDependents }) => isDeletingDependents),
    };
  // What somebody has asked for before goes on.
  const policy = hasFinalizer(latest, ORPHAN_FINALIZER)
    ? 'Orphan'
    : hasFinalizer(latest, FOREGROUND_FINALIZER)
      ? 'Foreground'
      : 'Background';
  return { type: 'delete', policy, unblock: false };
}
