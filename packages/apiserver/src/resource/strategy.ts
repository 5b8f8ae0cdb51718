import type { DeepReadonly, FieldError, KubeObject } from '@windlass/apimachinery';
import type { RequestContext } from '../request/context.ts';

/** An object on its way into the store. It belongs to the request alone and may be changed. */
export type Draft = KubeObject & Record<string, unknown>;
/** An object of the store: shared and frozen. */
export type Stored = DeepReadonly<KubeObject> & Readonly<Record<string, unknown>>;

/** A copy of a stored object, to be changed. */
export function draftOf(object: Stored): Draft {
  // The copy is whole: nothing of it is shared with the store or frozen.
  return structuredClone(object) as Draft;
}

/** What happens to dependents when nobody says. */
export type DefaultDeletion = 'delete-dependents' | 'orphan-dependents' | 'no-garbage-collection';

/** A part of an object that is written through a subresource of its own. */
export interface PartStrategy<D = Draft, S = Stored> {
  /** Restores whatever this subresource does not write. */
  readonly prepare: (draft: D, old: S, context: RequestContext) => void;
  readonly validate?: (object: S, old: S, context: RequestContext) => FieldError[];
  /**
   * What is written here is no change of what was asked for, so nobody need look again.
   * @default false
   */
  readonly keepsGeneration?: boolean;
}

/**
 * The rules of one kind that its schema cannot say. The verbs do what is the same for all kinds
 * (metadata, names, versions, finalizers, managed fields) and ask the strategy for the rest, in this
 * order:
 *
 *   create: setDefaults, managed fields, mutating admission, prepareForCreate, validate, validating admission
 *   update: setDefaults, managed fields, mutating admission, prepareForUpdate, validate and validateUpdate,
 *           validating admission
 *
 * Everything is synchronous and pure but for the draft. Every member may be absent.
 *
 * Rules of a built-in kind are written against its own types: `D` is then its draft, and `S` its view.
 */
export interface Strategy<D = Draft, S = Stored> {
  /** Fills in what the client left out. Must give the same result when applied twice. */
  readonly setDefaults?: (draft: D) => void;
  /** Maps that are empty are left out before anybody sees them, unless the stored object is frozen: there they are changes. */
  readonly emptyMaps?: { readonly fields: readonly string[]; readonly isFrozen: (old: S) => boolean };
  /** Clears what a client may not set. The status is cleared by the verbs where there is a status subresource. */
  readonly prepareForCreate?: (draft: D, context: RequestContext) => void;
  /** Restores what a client may not change. */
  readonly prepareForUpdate?: (draft: D, old: S, context: RequestContext) => void;
  /** As `prepareForUpdate`, for a write through `/status`. */
  readonly prepareForStatusUpdate?: (draft: D, old: S, context: RequestContext) => void;
  readonly validate?: (object: S, context: RequestContext) => FieldError[];
  /** Called besides `validate`, or instead of it: see `validatesUpdatesWhole`. */
  readonly validateUpdate?: (object: S, old: S, context: RequestContext) => FieldError[];
  readonly validateStatusUpdate?: (object: S, old: S, context: RequestContext) => FieldError[];
  /** Subresources, besides `status`, through which one part of the object is written, by their names. */
  readonly parts?: Readonly<Record<string, PartStrategy<D, S>>>;
  readonly warnings?: (object: S, old: S | undefined) => string[];
  /** Rules for `metadata.name`; empty when it is well formed. Default: a DNS subdomain. */
  readonly validateName?: (name: string, isPrefix: boolean) => string[];
  /**
   * Whether `metadata.generation` is kept, and what makes it grow.
   * @default 'none'
   */
  readonly generation?: 'none' | 'spec' | 'all-but-status' | ((object: S, old: S) => boolean);
  /**
   * A PUT of a name that is not there creates it.
   * @default false
   */
  readonly allowCreateOnUpdate?: boolean;
  /**
   * A PUT without a resourceVersion overwrites.
   * @default true
   */
  readonly allowUnconditionalUpdate?: boolean;
  /** How long a deletion is put off, in seconds; 0 for not at all. Default: 0. */
  readonly gracePeriod?: (object: S, requestedSeconds: number | undefined) => number;
  /**
   * Whether something besides its finalizers keeps an object that is being deleted. Default: nothing does.
   */
  readonly holdsDeletion?: (object: S) => boolean;
  /**
   * The first DELETE only marks the object, even when nothing holds it.
   * @default false
   */
  readonly isMarkedFirst?: boolean;
  /** The object as it is shown from when its deletion has begun. Default: as it was. */
  readonly markDeleted?: (object: S) => S;
  /** @default 'delete-dependents' */
  readonly defaultDeletion?: DefaultDeletion;
  /**
   * DELETE answers with the object, not with a Status.
   * @default false
   */
  readonly returnsDeletedObject?: boolean;
  /**
   * A create takes the status that the client gives: whoever makes such an object knows it already.
   * @default false
   */
  readonly keepsStatusOnCreate?: boolean;
  /**
   * `validateUpdate` looks at everything itself, so that it may tolerate what was wrong before.
   * @default false
   */
  readonly validatesUpdatesWhole?: boolean;
  /**
   * What is wrong with the metadata of a new object is told only when nothing else is.
   * @default false
   */
  readonly validatesMetadataLast?: boolean;
  /**
   * Finalizers that a deletion adds when it begins: what must be done before the object may go.
   * @default none
   */
  readonly deletionFinalizers?: readonly string[];
  /** Field paths, as in FieldsV1, that a write to the main resource, or to a subresource, never owns. */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
}
