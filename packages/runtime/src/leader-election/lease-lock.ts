import { formatMicroTime, isNotFound } from '@windlass/apimachinery';
import { Lease, type LeaseSpec } from '@windlass/apimachinery/api/coordination/v1';
import type { Clock } from '@windlass/base';
import type { Client } from '@windlass/client';

/** Who leads, as the lease says. Times in it are other machines' and only for people. */
export interface LeaderRecord {
  /** Empty when nobody does. */
  readonly holder: string;
  readonly leaseDurationMs: number;
  readonly transitions: number;
  readonly acquireTime: string | undefined;
}

export interface Observed {
  readonly lease: Lease;
  readonly record: LeaderRecord;
  /** Changes with each write of whoever leads. */
  readonly fingerprint: string;
}

export interface LeaseLockOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** Reads and writes the lease that candidates compete for. Each write is refused if another came first. */
export class LeaseLock {
  readonly #options: LeaseLockOptions;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Undefined when there is no lease. */
  async read(signal: AbortSignal): Promise<Observed | undefined> {
    try {
      return observedLease(await this.#leases().get(this.#options.name, { signal }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async create(signal: AbortSignal): Promise<Observed> {
    const { name, namespace, labels } = this.#options;
    const lease: Lease = {
      metadata: { name, namespace, ...(Object.keys(labels).length > 0 && { labels: { ...labels } }) },
      spec: this.#spec({ transitions: 0, acquireTime: undefined }),
    };
    return observedLease(await this.#leases().create(lease, { signal }));
  }

  /** Renews it, or takes it: then the term is a new one. */
  async hold(known: Observed, signal: AbortSignal): Promise<Observed> {
    const { record, lease } = known;
    const isOurs = record.holder === this.#options.identity;
    const spec = this.#spec(
      isOurs ? record : { transitions: record.transitions + 1, acquireTime: undefined },
    );
    return observedLease(
      await this.#leases().replace({ ...lease, spec: { ...lease.spec, ...spec } }, { signal }),
    );
  }

  /** Leaves it to whoever comes next, who then need not wait. */
  async release(known: Observed, signal: AbortSignal): Promise<Observed> {
    const now = formatMicroTime(this.#options.clock.now());
    const spec: LeaseSpec = {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      renewTime: now,
      acquireTime: now,
      leaseTransitions: known.record.transitions,
    };
    return observedLease(await this.#leases().replace({ ...known.lease, spec }, { signal }));
  }

  #leases() {
    return this.#options.client.resource(Lease).namespace(this.#options.namespace);
  }

  #spec({ transitions, acquireTime }: Pick<LeaderRecord, 'transitions' | 'acquireTime'>): LeaseSpec {
    const { identity, leaseDurationMs, clock } = this.#options;
    const now = formatMicroTime(clock.now());
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.max(1, Math.ceil(leaseDurationMs / 1000)),
      acquireTime: acquireTime ?? now,
      renewTime: now,
      leaseTransitions: transitions,
    };
  }
}

/** What a lease says. */
export function observedLease(lease: Lease): Observed {
  const spec = lease.spec ?? {};
  return {
    lease,
    record: {
      holder: spec.holderIdentity ?? '',
      leaseDurationMs: (spec.leaseDurationSeconds ?? 0) * 1000,
      transitions: spec.leaseTransitions ?? 0,
      acquireTime: spec.acquireTime,
    },
    fingerprint: JSON.stringify(spec),
  };
}
