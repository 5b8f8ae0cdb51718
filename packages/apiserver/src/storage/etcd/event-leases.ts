import type { Clock, Random } from '@windlass/base';
import type { StoreKey } from '../store.ts';
import type { EtcdClient } from './etcd-client.ts';

const DEFAULT_TTL_MS = 3_600_000;
const PREFIX = '//events/';
/** Events of so much time share a lease, which is longer by that; and not more than so many. */
const SHARED_MS = 60_000;
const SHARED_EVENTS = 1000;

export interface EventLeaseOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** @default 3600000 */
  readonly ttlMs?: number | undefined;
}

interface Lease {
  readonly id: string;
  readonly until: number;
  left: number;
}

/** The leases with which events go by themselves: etcd deletes them, whoever is there then. */
export class EventLeases {
  readonly #client: EtcdClient;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #ttlMs: number;
  #lease: Promise<Lease> | undefined;

  constructor(client: EtcdClient, { clock, random, ttlMs = DEFAULT_TTL_MS }: EventLeaseOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#ttlMs = ttlMs;
  }

  /** Undefined for what stays. */
  async leaseOf(key: StoreKey): Promise<string | undefined> {
    if (!key.startsWith(PREFIX)) return undefined;
    for (;;) {
      this.#lease ??= this.#grant();
      const granted = this.#lease;
      const lease = await granted.catch((error: unknown) => {
        if (this.#lease === granted) this.#lease = undefined;
        throw error;
      });
      if (lease.left > 0 && this.#clock.monotonic() < lease.until) {
        lease.left--;
        return lease.id;
      }
      if (this.#lease === granted) this.#lease = undefined;
    }
  }

  async #grant(): Promise<Lease> {
    const id = leaseId(this.#random);
    const seconds = Math.ceil((this.#ttlMs + Math.min(SHARED_MS, this.#ttlMs / 20)) / 1000);
    const until = this.#clock.monotonic() + Math.min(SHARED_MS, this.#ttlMs / 20);
    const { ID } = await this.#client.read('making a lease', (etcd) =>
      etcd.leaseGrant({ TTL: seconds, ID: id }),
    );
    return { id: ID, until, left: SHARED_EVENTS };
  }
}

/** Within the numbers that JavaScript counts with; etcd takes any but 0. */
export function leaseId(random: Random): string {
  return String(1 + random.int(2 ** 31) * 2 ** 16 + random.int(2 ** 16));
}
