import { type DeepReadonly, Quantity } from '@windlass/apimachinery';
import type { Device } from '@windlass/apimachinery/api/resource/v1';
import type { AllocatedDevices } from '../framework/device-view.ts';
import { deviceId } from './allocated-devices.ts';
import type { DevicePool } from './device-pools.ts';

/**
 * What is left of the counters that the devices of a pool share: parts of one physical device are devices too, and
 * not all of them can be had at once.
 */
export class DeviceCounters {
  readonly #allocated: AllocatedDevices;
  readonly #left = new Map<DevicePool, Map<string, Quantity>>();

  constructor(allocated: AllocatedDevices) {
    this.#allocated = allocated;
  }

  /** False, and nothing is taken, when there is not enough. */
  take(pool: DevicePool, device: DeepReadonly<Device>): boolean {
    const left = this.#leftOf(pool);
    const needs = needsOf(device);
    if (!needs.every(([key, amount]) => (left.get(key) ?? Quantity.zero).compare(amount) >= 0)) return false;
    for (const [key, amount] of needs) left.set(key, (left.get(key) ?? Quantity.zero).sub(amount));
    return true;
  }

  giveBack(pool: DevicePool, device: DeepReadonly<Device>): void {
    const left = this.#leftOf(pool);
    for (const [key, amount] of needsOf(device)) left.set(key, (left.get(key) ?? Quantity.zero).add(amount));
  }

  #leftOf(pool: DevicePool): Map<string, Quantity> {
    const known = this.#left.get(pool);
    if (known !== undefined) return known;
    const left = new Map<string, Quantity>();
    for (const [set, { counters }] of pool.counterSets)
      for (const [name, { value }] of Object.entries(counters))
        left.set(keyOf(set, name), Quantity.from(value));
    for (const device of pool.devices) {
      const id = deviceId({ driver: pool.driver, pool: pool.name, device: device.name });
      if (!this.#allocated.devices.has(id) && !this.#allocated.shares.has(id)) continue;
      for (const [key, amount] of needsOf(device))
        left.set(key, (left.get(key) ?? Quantity.zero).sub(amount));
    }
    this.#left.set(pool, left);
    return left;
  }
}

const keyOf = (set: string, counter: string): string => `${set}/${counter}`;

function needsOf({ consumesCounters }: DeepReadonly<Device>): (readonly [key: string, amount: Quantity])[] {
  return (consumesCounters ?? []).flatMap(({ counterSet, counters }) =>
    Object.entries(counters).map(
      ([name, { value }]) => [keyOf(counterSet, name), Quantity.from(value)] as const,
    ),
  );
}
