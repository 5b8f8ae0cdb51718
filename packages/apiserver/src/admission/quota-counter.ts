import {
  countsOnly,
  type DeepReadonly,
  inQuotaScope,
  Quantity,
  type QuotaUsage,
  quotaUsageOf,
} from '@windlass/apimachinery';
import type { ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import { storageKey } from '../resource/definition.ts';
import type { Store } from '../storage/store.ts';
import type { AdmissionRequest } from './admission.ts';

interface Charge {
  /** Of the object that is being written, and its version before; empty for a new one. */
  readonly key: string;
  readonly before: string;
  readonly delta: QuotaUsage;
  readonly until: number;
}

/** A charged write that is not stored by then has failed. */
const CHARGE_MS = 10_000;

/**
 * Counts what there is in a namespace, and with it what has been charged but is still on its way into the
 * store: without that, writes that are under way at the same time would each find room.
 */
export class QuotaCounter {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #charges = new Map<string, Charge[]>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  charged(quotaKey: string, request: AdmissionRequest, delta: QuotaUsage): void {
    const { definition, namespace, name, oldObject } = request;
    const key = storageKey(definition, namespace, name);
    const before = oldObject?.metadata?.resourceVersion ?? '';
    const charges = this.#charges.get(quotaKey) ?? [];
    charges.push({ key, before, delta, until: this.#clock.now() + CHARGE_MS });
    this.#charges.set(quotaKey, charges);
    // Those that are over are cleared when they are many, not at each write.
    if (charges.length > 1000) this.#charges.set(quotaKey, this.#inTime(charges));
  }

  uncharged(quotaKey: string, delta: QuotaUsage): void {
    const charges = this.#charges.get(quotaKey) ?? [];
    this.#charges.set(
      quotaKey,
      charges.filter((charge) => charge.delta !== delta),
    );
  }

  /** The quota's usage, with what objects of the request's resource really use. */
  async count(
    quotaKey: string,
    quota: DeepReadonly<ResourceQuota>,
    request: AdmissionRequest,
  ): Promise<QuotaUsage> {
    const { definition, namespace } = request;
    const { group, plural } = definition.storage;
    const { items } = await this.#store.list(`/${group}/${plural}/${namespace}/`);
    const used: QuotaUsage = new Map();
    for (const name of Object.keys(quota.spec?.hard ?? {})) {
      const known = Quantity.from(quota.status?.used?.[name] ?? '0');
      used.set(name, countsOnly(definition, name) ? Quantity.zero : known);
    }
    const add = (name: string, amount: Quantity): void => {
      if (countsOnly(definition, name)) used.set(name, (used.get(name) ?? Quantity.zero).add(amount));
    };
    const versions = new Map<string, string>();
    for (const { key, object } of items) {
      versions.set(key, object.metadata?.resourceVersion ?? '');
      if (inQuotaScope(quota, definition, object))
        for (const [name, amount] of quotaUsageOf(definition, object, this.#clock.now())) add(name, amount);
    }
    const open = this.#inTime(this.#charges.get(quotaKey) ?? []).filter(
      ({ key, before }) => (versions.get(key) ?? '') === before,
    );
    this.#charges.set(quotaKey, open);
    for (const { delta } of open) for (const [name, amount] of delta) add(name, amount);
    for (const name of used.keys()) if (!Object.hasOwn(quota.spec?.hard ?? {}, name)) used.delete(name);
    return used;
  }

  #inTime(charges: readonly Charge[]): Charge[] {
    const now = this.#clock.now();
    return charges.filter(({ until }) => until > now);
  }
}
