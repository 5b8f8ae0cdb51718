import { isConflict, isNotFound } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import type { Clock, Random } from '@windlass/base';
import type { Client } from '@windlass/client';
import { LeaseLock, type Observed, observedLease } from '../leader-election/lease-lock.ts';

/** On every lease of a ring: the ring's name. */
export const RING_LABEL = 'windlass.dev/shard-ring';
/** On the leases of members: how many shards they know. */
export const COUNT_LABEL = 'windlass.dev/shard-count';

/** A member that has been silent for so many of its leases was not stopped as it should: its lease is removed. */
const LEASES_UNTIL_REMOVED = 4;
/** A member renews so often in the time that others wait for it. */
const RENEWALS = 3;

export interface RingLeasesOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly ring: string;
  readonly identity: string;
  readonly count: number;
  readonly leaseDurationMs: number;
  readonly clock: Clock;
  readonly random: Random;
}

/** A replica that lives, as far as this one can tell. */
export interface Member {
  readonly identity: string;
  readonly count: number;
  readonly isSelf: boolean;
  /** Orders members by when they came; the same for all who look. */
  readonly since: string;
}

interface Sighting {
  readonly fingerprint: string;
  readonly at: number;
}

/**
 * The leases of a ring: one of each member, which says that it lives, and one of each shard, which says whose it is. As
 * with an election, only this machine's clock judges others: from when a lease was last seen to change.
 */
export class RingLeases {
  readonly #options: RingLeasesOptions;
  readonly #name: string;
  readonly #lock: LeaseLock;
  readonly #sightings = new Map<string, Sighting>();
  #own: Observed | undefined = undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RingLeasesOptions) {
    const { ring, count, random } = options;
    this.#options = options;
    this.#name = `${ring}-member-${random.uuid()}`;
    const labels = { [RING_LABEL]: ring, [COUNT_LABEL]: String(count) };
    this.#lock = new LeaseLock({ ...options, name: this.#name, labels });
  }

  get hasJoined(): boolean {
    return this.#own !== undefined;
  }

  async join(signal: AbortSignal): Promise<void> {
    await this.#renew(signal);
  }

  /** To be called when none of this member's work goes on. */
  async leave(signal: AbortSignal): Promise<void> {
    this.#own = undefined;
    await this.#leases()
      .delete(this.#name, { signal })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  }

  /** Says that this member lives, if it has joined, and looks who else does. */
  async look(signal: AbortSignal): Promise<readonly Member[]> {
    const { clock, ring, leaseDurationMs } = this.#options;
    if (this.hasJoined && clock.monotonic() - this.#renewedAt >= leaseDurationMs / RENEWALS)
      await this.#renew(signal);
    const { items } = await this.#leases().list({ labelSelector: `${RING_LABEL}=${ring}`, signal });
    const now = clock.monotonic();
    const names = new Set<string>();
    const members: Member[] = [];
    for (const lease of items) {
      const { name } = lease.metadata;
      names.add(name);
      const { fingerprint, record } = observedLease(lease);
      let sighting = this.#sightings.get(name);
      if (sighting?.fingerprint !== fingerprint) sighting = { fingerprint, at: now };
      this.#sightings.set(name, sighting);
      const count = lease.metadata.labels?.[COUNT_LABEL];
      if (count === undefined) continue;
      const isSelf = name === this.#name;
      const silentMs = now - sighting.at;
      const since = `${lease.metadata.creationTimestamp} ${name}`;
      if (isSelf ? this.hasJoined : silentMs < record.leaseDurationMs)
        members.push({ identity: record.holder, count: Number(count), isSelf, since });
      else if (silentMs > LEASES_UNTIL_REMOVED * record.leaseDurationMs) await this.#remove(lease, signal);
    }
    for (const name of this.#sightings.keys()) if (!names.has(name)) this.#sightings.delete(name);
    return members;
  }

  /** Since when a lease of the ring has been as it is; undefined when it was not seen so. */
  unchangedSince(name: string, fingerprint: string): number | undefined {
    const sighting = this.#sightings.get(name);
    return sighting?.fingerprint === fingerprint ? sighting.at : undefined;
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const startedAt = this.#options.clock.monotonic();
    let known = this.#own ?? (await this.#lock.read(signal));
    try {
      known = known === undefined ? await this.#lock.create(signal) : await this.#lock.hold(known, signal);
    } catch (error) {
      // Somebody touched it, or took this member for dead and removed it.
      if (!isConflict(error) && !isNotFound(error)) throw error;
      const found = await this.#lock.read(signal);
      known = found === undefined ? await this.#lock.create(signal) : await this.#lock.hold(found, signal);
    }
    this.#own = known;
    this.#renewedAt = startedAt;
  }

  async #remove(lease: Lease, signal: AbortSignal): Promise<void> {
    const { name = '', resourceVersion = '' } = lease.metadata ?? {};
    await this.#leases()
      .delete(name, { preconditions: { resourceVersion }, signal })
      .catch((error: unknown) => {
        // It lives after all, or another member was first.
        if (!isConflict(error) && !isNotFound(error)) throw error;
      });
  }

  #leases() {
    return this.#options.client.resource(Lease).namespace(this.#options.namespace);
  }
}
