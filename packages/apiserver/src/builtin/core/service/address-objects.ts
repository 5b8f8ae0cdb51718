import { type DeepReadonly, formatTime } from '@windlass/apimachinery';
import { IPAddress } from '@windlass/apimachinery/api/networking/v1';
import type { Clock, Logger, Random } from '@windlass/base';
import { RevisionConflictError, StoreClosedError } from '../../../storage/errors.ts';
import type { Store } from '../../../storage/store.ts';
import { kindPrefix } from '../../../storage/stored-kinds.ts';
import { familyOf } from '../../shared/addresses.ts';

/** Who made an address: those with this value are the API server's own. */
export const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
export const ALLOCATOR = 'ipallocator.k8s.io';
const FAMILY = 'ipaddress.kubernetes.io/ip-family';

export interface AddressObjectsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A service by its name. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

const keyOf = (address: string): string => `${kindPrefix(IPAddress)}${address}`;

/**
 * The IPAddress objects of services: one for each address that a service has. The object is there before the service
 * is, so that of two who want an address only one gets it.
 */
export class AddressObjects {
  readonly #options: AddressObjectsOptions;
  readonly #removing = new Map<string, Promise<void>>();

  constructor(options: AddressObjectsOptions) {
    this.#options = options;
  }

  /** False when there is one already, whoever made it. */
  async create(address: string, { namespace, name }: ServiceName): Promise<boolean> {
    const { store, clock, random } = this.#options;
    await this.#removing.get(address);
    const object: DeepReadonly<IPAddress> = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IPAddress',
      metadata: {
        name: address,
        uid: random.uuid(),
        creationTimestamp: formatTime(clock.now()),
        labels: { [FAMILY]: `IPv${familyOf(address) ?? 4}`, [MANAGED_BY]: ALLOCATOR },
      },
      spec: { parentRef: { resource: 'services', namespace, name } },
    };
    try {
      await store.put(keyOf(address), object, 0);
      return true;
    } catch (error) {
      if (error instanceof RevisionConflictError) return false;
      throw error;
    }
  }

  /** Deletes it, if it is this service's. Nobody waits for that but who wants the same address. */
  remove(address: string, service: ServiceName): void {
    const removing = this.#remove(address, service)
      .catch((error: unknown) => {
        // What is left is found by the repair.
        if (!(error instanceof StoreClosedError))
          this.#options.logger.warn('the address of a service could not be given back', { address, error });
      })
      .finally(() => {
        if (this.#removing.get(address) === removing) this.#removing.delete(address);
      });
    this.#removing.set(address, removing);
  }

  async #remove(address: string, service: ServiceName): Promise<void> {
    const { store } = this.#options;
    const key = keyOf(address);
    const stored = await store.get(key);
    if (stored === undefined) return;
    // Below this key are addresses only.
    const { metadata, spec } = stored.object as DeepReadonly<IPAddress>;
    const { namespace, name } = spec.parentRef;
    if (metadata?.labels?.[MANAGED_BY] !== ALLOCATOR) return;
    if (namespace !== service.namespace || name !== service.name) return;
    await store.delete(key, stored.revision).catch((error: unknown) => {
      // Somebody else has deleted or changed it; the repair looks again.
      if (!(error instanceof RevisionConflictError)) throw error;
    });
  }
}
