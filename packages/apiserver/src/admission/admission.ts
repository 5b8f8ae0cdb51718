import type { RequestContext } from '../request/context.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Draft, Stored } from '../resource/strategy.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A write that is about to happen. */
export interface AdmissionRequest {
  readonly operation: Operation;
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly namespace: string;
  /** Of what is written, when it is not the resource itself: an Eviction, a TokenRequest. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Empty for a create whose name is still to be generated, and for deletecollection. */
  readonly name: string;
  /** What is to be stored; may be changed while mutating. Undefined for DELETE. */
  readonly object: Draft | undefined;
  /** What is stored; undefined for CREATE. */
  readonly oldObject: Stored | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: RequestContext;
}

/** `reinvoke` when all shall look at the object again, because it was changed after they had. */
type Mutated = 'reinvoke' | undefined | void;

/**
 * A say in every write. Mutating plugins run first, in their order, and once more when one of them asks for it; then
 * the object is validated; then the validating ones run, in their order. Throwing a StatusError refuses the write.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly handles: (request: AdmissionRequest) => boolean;
  readonly mutate?: (request: AdmissionRequest) => Promise<Mutated> | Mutated;
  /** The second time; `mutate` when it is not here. */
  readonly reinvoke?: (request: AdmissionRequest) => Promise<void> | void;
  readonly validate?: (request: AdmissionRequest) => Promise<void> | void;
}
