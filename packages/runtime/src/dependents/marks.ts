// How a child is told to be a parent's own: by marks that are written with its first field.
import {
  type Cached,
  controllerOf,
  type DeepReadonly,
  isBeingDeleted,
  isControlledBy,
  type KubeObject,
  keyOf,
} from '@windlass/apimachinery';
import { type Mapping, toOwner } from '../mapping.ts';

const DOMAIN = 'dependents.windlass.dev';

/**
 * One name for all that a controller of dependents writes beside the declared fields: a label of each
 * child with the parent's uid, an annotation of each child that names parent and child, an annotation of
 * the parent with the kinds of its children, and its finalizer.
 */
export function markOf(controller: string): string {
  return `${DOMAIN}/${controller}`;
}

/** Names the parent, to find it when something happens to the child; and the child, so that a copy is none. */
export function nameTag(parentKey: string, childName: string): string {
  return `${parentKey} ${childName}`;
}

/** The parent that a child's annotation names. */
function parentKeyOf(object: DeepReadonly<KubeObject>, mark: string): string | undefined {
  return object.metadata?.annotations?.[mark]?.split(' ')[0];
}

/** What children are selected by, on the server and in the cache. */
export function selectorOf(mark: string, parent: Cached<KubeObject>): string {
  return `${mark}=${parent.metadata.uid}`;
}

/**
 * Whether we have applied the object for this parent, so that it may be pruned. A controller reference alone
 * does not say so: somebody else may have made it for the same parent.
 */
export function isMarked(object: Cached<KubeObject>, parent: Cached<KubeObject>, mark: string): boolean {
  const { labels, annotations, name } = object.metadata;
  if (labels?.[mark] !== parent.metadata.uid) return false;
  if (annotations?.[mark] !== nameTag(keyOf(parent), name)) return false;
  const controller = controllerOf(object);
  return controller === undefined || controller.uid === parent.metadata.uid;
}

/** Whether nothing but the finalizer sees to its deletion: the garbage collector does not. */
export function isLabelOwned(object: Cached<KubeObject>, parent: Cached<KubeObject>): boolean {
  return !isControlledBy(object, parent);
}

/** What is there in the place of a declared child. */
export type Standing =
  | { readonly is: 'absent' }
  | { readonly is: 'ours'; readonly object: Cached<KubeObject> }
  | { readonly is: 'leaving'; readonly object: Cached<KubeObject> }
  | { readonly is: 'foreign'; readonly message: string };

/** An object that is there and is not ours is never touched, whoever made it. */
export function standingOf(
  object: Cached<KubeObject> | undefined,
  parent: Cached<KubeObject>,
  mark: string,
  byReference: boolean,
): Standing {
  if (object === undefined) return { is: 'absent' };
  const controller = controllerOf(object);
  if (controller !== undefined && controller.uid !== parent.metadata.uid)
    return { is: 'foreign', message: `it belongs to ${controller.kind} ${controller.name}` };
  const isOurs = byReference ? controller !== undefined : isMarked(object, parent, mark);
  if (!isOurs) {
    const other = parentKeyOf(object, mark);
    if (other !== undefined && other !== keyOf(parent))
      return { is: 'foreign', message: `it belongs to ${other}` };
    return { is: 'foreign', message: 'it exists and was not made for this object' };
  }
  return isBeingDeleted(object) ? { is: 'leaving', object } : { is: 'ours', object };
}

/** From a child to its parent: by its controller reference, and by its annotation where it can have none. */
export function toParent(
  parent: { readonly group: string; readonly kind: string; readonly namespaced: boolean },
  mark: string,
): Mapping<KubeObject> {
  const byReference = toOwner(parent);
  return (object) => {
    const keys = new Set(byReference(object));
    const named = parentKeyOf(object, mark);
    if (named !== undefined && named !== '') keys.add(named);
    return keys;
  };
}
