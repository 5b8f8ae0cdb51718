// Which events are worth a run. A predicate filters events, never the cache.
import { deepEqual, type KubeObject, parseLabelSelector, type Selector } from '@windlass/apimachinery';
import type { ObjectEvent } from './object-event.ts';

/** True for events that matter. One that throws counts as true: one run too many harms nobody. */
export type Predicate<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => boolean;

type AnyPredicate = Predicate<KubeObject>;

/** Drops resyncs, and whatever else comes with nothing new. */
export const resourceVersionChanged: AnyPredicate = (event) =>
  event.type !== 'update' || event.old.metadata.resourceVersion !== event.object.metadata.resourceVersion;

/**
 * Drops changes of status and of metadata: the API server counts generations for the spec alone. With it
 * resyncs are dropped too. A kind without generations never changes by this; use it for kinds that count.
 */
export const generationChanged: AnyPredicate = (event) =>
  event.type !== 'update' || event.old.metadata.generation !== event.object.metadata.generation;

/** Drops updates that leave the labels as they were. */
export const labelsChanged: AnyPredicate = (event) =>
  event.type !== 'update' || !deepEqual(event.old.metadata.labels ?? {}, event.object.metadata.labels ?? {});

/** Drops updates that leave the annotations as they were. */
export const annotationsChanged: AnyPredicate = (event) =>
  event.type !== 'update' ||
  !deepEqual(event.old.metadata.annotations ?? {}, event.object.metadata.annotations ?? {});

/**
 * Events of objects with matching labels. An object that stops matching counts once more, so that whoever
 * followed it hears of that.
 */
export function labelsMatch(selector: string | Selector): AnyPredicate {
  const parsed = typeof selector === 'string' ? parseLabelSelector(selector) : selector;
  return (event) =>
    parsed.matches(event.object.metadata.labels ?? {}) ||
    (event.type === 'update' && parsed.matches(event.old.metadata.labels ?? {}));
}

/** A test of the object as it is now. */
export function objectIs<T extends KubeObject>(
  matches: (object: ObjectEvent<T>['object']) => boolean,
): Predicate<T> {
  return (event) => matches(event.object);
}

/** Without any, everything passes. */
export function and<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.every((predicate) => predicate(event));
}

/** Without any, nothing passes. */
export function or<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.some((predicate) => predicate(event));
}

/** Passes the events that the predicate drops, and drops those that it passes. */
export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (event) => !predicate(event);
}
