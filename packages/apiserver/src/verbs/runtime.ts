import type { FieldManager } from '@windlass/apimachinery';
import type { Clock, Logger, Random } from '@windlass/base';
import type { AdmissionChain } from '../admission/chain.ts';
import type { Catalog } from '../resource/catalog.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Store } from '../storage/store.ts';

/** What create, update and patch need of a store. */
export type WriteStore = Pick<Store, 'get' | 'put' | 'delete'>;

/** What create, update and patch work with. */
export interface WriteRuntime {
  readonly store: WriteStore;
  readonly catalog: Catalog;
  readonly admission: Pick<AdmissionChain, 'mutate' | 'validate'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Keeps the managed fields of a resource, or of one of its subresources. */
  readonly fieldManager: (definition: ResourceDefinition, subresource: string) => FieldManager;
  /** Grants and takes back what objects need from outside themselves: addresses and ports of services. */
  readonly allocator: Allocator;
}

/** What the verbs work with. */
export interface VerbRuntime extends WriteRuntime {
  readonly store: Store;
}

/**
 * Resources that are handed out one by one and must be given back. Called within a write, before it is
 * stored; the returned function undoes it when the write does not happen.
 */
export interface Allocator {
  /** False when objects of the kind need nothing. */
  handles(definition: ResourceDefinition): boolean;
  /** May change the draft. `old` is undefined for a create. Throws a StatusError when it cannot be had. */
  allocate(
    definition: ResourceDefinition,
    draft: object,
    old: object | undefined,
    isDryRun: boolean,
  ): (() => void) | Promise<() => void>;
  /** The object is gone. */
  release(definition: ResourceDefinition, object: object): void;
}
