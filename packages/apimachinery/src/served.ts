// The types of what is read. A server fills in what a writer may leave out, so a reader need not ask for it.
import type { DeepReadonly, KubeObject, ObjectMeta } from './object.ts';

// What a kind's type knows beside its fields is in fields that begin with `~`. They are there at compile time only.
// They are no symbols, because a declaration that shows a type with a symbol in it must be able to name that.

/** A kind whose objects live in namespaces. */
export interface NamespacedKind {
  readonly '~scope'?: 'Namespaced';
}

/** A kind whose objects live in no namespace. */
export interface ClusterKind {
  readonly '~scope'?: 'Cluster';
}

/** The metadata of an object that lives in no namespace. */
export interface ClusterObjectMeta extends ObjectMeta {
  namespace?: never;
}

/** A kind whose objects are answered and never stored, such as a SubjectAccessReview. */
export interface UnstoredKind {
  readonly '~scope'?: 'Unstored';
}

/** Where the objects of a kind live, as far as its type says so. */
export type ScopeOf<T> = T extends { readonly '~scope'?: infer Scope extends string } ? Scope : 'Unknown';

/** A kind with defaults. `Filled` has the fields in which a server fills in what a writer leaves out. */
export interface DefaultedKind<Filled> {
  readonly '~filled'?: Filled;
}

/** What the kind's defaults add. An intersection with `unknown` adds nothing. */
type AddedByDefaults<T> = T extends { readonly '~filled'?: infer Filled } ? Filled : unknown;

/** As `DeepReadonly`, which would make something of `unknown`. */
type Frozen<T> = unknown extends T ? unknown : DeepReadonly<T>;

/** The metadata of an object that a server has stored. */
export interface ServedMeta extends ObjectMeta {
  name: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
}

/** What the kind's scope adds. An intersection with `unknown` adds nothing. */
type AddedByScope<T> = ScopeOf<T> extends 'Namespaced' ? { metadata: { namespace: string } } : unknown;

/**
 * An object as a server gives it: it has a name, a uid, a version and the time of its creation, and a
 * namespace if its kind is known to live in one. Fields with a declared default are there. The object is the
 * reader's own.
 *
 * Only the name is checked at run time. A few servers that store nothing send neither uid nor version, as that
 * of `metrics.k8s.io` does.
 */
export type Served<T extends KubeObject> = AddedByDefaults<T> &
  T & { metadata: ServedMeta } & AddedByScope<T>;

/** An object as a cache gives it: as `Served`, but shared by all readers and never to be changed. */
export type Cached<T extends KubeObject> = Frozen<AddedByDefaults<T>> &
  DeepReadonly<T> & { readonly metadata: DeepReadonly<ServedMeta> } & Frozen<AddedByScope<T>>;

/** What a create answers: the stored object, or the answer itself where nothing is stored. */
export type Created<T extends KubeObject> = ScopeOf<T> extends 'Unstored' ? T : Served<T>;
