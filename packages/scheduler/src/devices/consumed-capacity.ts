import { compareQuantities, type DeepReadonly, Quantity } from '@windlass/apimachinery';
import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  CapacityRequirements,
  Device,
  DeviceCapacity,
} from '@windlass/apimachinery/api/resource/v1';
import type { TakenCapacity } from '../framework/device-view.ts';

/**
 * What a request takes of each capacity of a device, as the device's own rules round it. Undefined when the device
 * does not have what is asked for, or not so much of it left.
 *
 * @param taken by others
 */
export function consumedCapacity(
  device: DeepReadonly<Device>,
  asked: DeepReadonly<CapacityRequirements> | undefined,
  taken: readonly (TakenCapacity | undefined)[],
): Map<string, Quantity> | undefined {
  const requests = asked?.requests ?? {};
  const capacities = device.capacity ?? {};
  if (!Object.keys(requests).every((name) => capacities[name] !== undefined)) return undefined;
  const consumed = new Map<string, Quantity>();
  for (const [name, capacity] of Object.entries(capacities)) {
    const amount = amountOf(requests[name], capacity);
    if (amount === undefined) return undefined;
    const total = taken.reduce((sum, each) => sum.add(each?.get(name) ?? Quantity.zero), amount);
    if (total.compare(Quantity.from(capacity.value)) > 0) return undefined;
    consumed.set(name, amount);
  }
  return consumed;
}

/** Undefined when the rules of the device do not allow it. */
function amountOf(
  asked: string | undefined,
  { value, requestPolicy }: DeepReadonly<DeviceCapacity>,
): Quantity | undefined {
  if (asked === undefined) return Quantity.from(requestPolicy?.default ?? value);
  return requestPolicy === undefined ? Quantity.from(asked) : rounded(asked, requestPolicy);
}

function rounded(asked: string, policy: DeepReadonly<CapacityRequestPolicy>): Quantity | undefined {
  const { validRange, validValues = [] } = policy;
  if (validRange !== undefined) return roundedInto(asked, validRange);
  if (validValues.length === 0) return Quantity.from(asked);
  const enough = validValues.find((value) => compareQuantities(value, asked) >= 0);
  return enough === undefined ? undefined : Quantity.from(enough);
}

function roundedInto(
  asked: string,
  { min, max, step }: DeepReadonly<CapacityRequestPolicyRange>,
): Quantity | undefined {
  let amount = Quantity.from(compareQuantities(asked, min) < 0 ? min : asked);
  if (step !== undefined) {
    const least = Quantity.from(min);
    const size = BigInt(Quantity.from(step).scaledValue(0));
    const over = BigInt(amount.sub(least).roundUp(0).scaledValue(0));
    // Up to the next step; a step of nothing cannot be rounded to.
    const steps = size > 0n ? (over + size - 1n) / size : over;
    amount = size > 0n ? least.add(Quantity.of(steps * size)) : amount;
  }
  return max !== undefined && amount.compare(Quantity.from(max)) > 0 ? undefined : amount;
}
