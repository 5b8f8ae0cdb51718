import { type DeepReadonly, hasFinalizer, isBeingDeleted } from '@windlass/apimachinery';
import { annotation } from '../sidecar/names.ts';
import { BEING_CREATED, BEING_DELETED, CONTENT_FINALIZER, YES } from './names.ts';
import type { VolumeSnapshotContent } from './volume-snapshot.ts';

export type ContentDecision =
  /** Nothing to do with us, or nothing to do. */
  | 'ignore'
  /** The driver is to make it, or is at it. */
  | 'create'
  /** The driver has it already: what does it say? */
  | 'look up'
  /** The driver's snapshot goes, then the content. */
  | 'delete'
  /** The content goes, and the driver's snapshot stays. */
  | 'let go';

/** What is to be done about a content. */
export function decideContent(content: DeepReadonly<VolumeSnapshotContent>, driver: string): ContentDecision {
  const { spec, status } = content;
  if (spec.driver !== driver) return 'ignore';
  if (mayGo(content)) {
    if (!hasFinalizer(content, CONTENT_FINALIZER)) return 'ignore';
    return spec.deletionPolicy === 'Delete' ? 'delete' : 'let go';
  }
  if (status?.readyToUse === true) return 'ignore';
  if (spec.source.snapshotHandle !== undefined) return isBeingDeleted(content) ? 'ignore' : 'look up';
  // A call that was begun has to come to an end, so that its snapshot can be deleted.
  const isOpen = annotation(content, BEING_CREATED) === YES;
  return isBeingDeleted(content) && !isOpen ? 'ignore' : 'create';
}

/** It was deleted, and nobody needs it: it was never bound, or its VolumeSnapshot goes, too. */
function mayGo(content: DeepReadonly<VolumeSnapshotContent>): boolean {
  if (!isBeingDeleted(content)) return false;
  if ((content.spec.volumeSnapshotRef.uid ?? '') === '') return true;
  if (annotation(content, BEING_CREATED) === YES) return false;
  return annotation(content, BEING_DELETED) === YES;
}
