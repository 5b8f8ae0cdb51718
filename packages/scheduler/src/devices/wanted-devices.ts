import { type DeepReadonly, keyOf } from '@windlass/apimachinery';
import type {
  CapacityRequirements,
  DeviceSelector,
  DeviceSubRequest,
  DeviceToleration,
} from '@windlass/apimachinery/api/resource/v1';
import type {
  ReadonlyDeviceClass,
  ReadonlyResourceClaim,
  SelectableDevice,
} from '../framework/device-view.ts';
import { AllocationError } from './allocation-error.ts';
import type { Candidate, DevicePool } from './device-pools.ts';

/** So many devices fit into the status of a claim. */
export const MAX_DEVICES = 32;

/** One request, or one of its alternatives. */
export interface WantedDevices {
  /** `request` or `request/alternative`. */
  readonly name: string;
  readonly count: number;
  /** When all are wanted: these, no more and no less. */
  readonly all: readonly Candidate[] | undefined;
  readonly hasAdminAccess: boolean;
  readonly capacity: DeepReadonly<CapacityRequirements> | undefined;
  readonly tolerations: readonly DeepReadonly<DeviceToleration>[];
  readonly deviceClass: ReadonlyDeviceClass;
  /** Whether the selectors of the class and of the request take the device. Asked once for each device. */
  readonly selects: (candidate: Candidate) => boolean;
}

export interface WantedDevicesInput {
  readonly pools: readonly DevicePool[];
  readonly classOf: (name: string) => ReadonlyDeviceClass | undefined;
  /** @throws Error */
  readonly matches: (expression: string, device: SelectableDevice) => boolean;
}

type Request = DeepReadonly<Omit<DeviceSubRequest, 'name'>> & { readonly adminAccess?: boolean };

/**
 * For each request of a claim its alternatives, of which one is to be had.
 * @throws AllocationError
 */
export function wantedDevices(claim: ReadonlyResourceClaim, input: WantedDevicesInput): WantedDevices[][] {
  return (claim.spec.devices?.requests ?? []).map(({ name, exactly, firstAvailable }) =>
    exactly === undefined
      ? (firstAvailable ?? []).map((one) => wantedOf(claim, `${name}/${one.name}`, one, input))
      : [wantedOf(claim, name, exactly, input)],
  );
}

function wantedOf(
  claim: ReadonlyResourceClaim,
  name: string,
  request: Request,
  { pools, classOf, matches }: WantedDevicesInput,
): WantedDevices {
  const about = `claim ${keyOf(claim)}, request ${name}`;
  const deviceClass = classOf(request.deviceClassName);
  if (deviceClass === undefined)
    throw new AllocationError(`request ${name}: device class ${request.deviceClassName} does not exist`);
  const known = new Map<Candidate, boolean>();
  const ask = (candidate: Candidate): boolean =>
    isSelected(candidate, deviceClass.spec.selectors ?? [], `class ${deviceClass.metadata.name}`, matches) &&
    isSelected(candidate, request.selectors ?? [], `claim ${keyOf(claim)}`, matches);
  const selects = (candidate: Candidate): boolean => {
    const answer = known.get(candidate) ?? ask(candidate);
    known.set(candidate, answer);
    return answer;
  };
  const all = request.allocationMode === 'All' ? allSelected(pools, selects, about) : undefined;
  return {
    name,
    count: all?.length ?? request.count ?? 1,
    all,
    hasAdminAccess: request.adminAccess === true,
    capacity: request.capacity,
    tolerations: request.tolerations ?? [],
    deviceClass,
    selects,
  };
}

/** How many all are is known only when every pool is there. */
function allSelected(
  pools: readonly DevicePool[],
  selects: (candidate: Candidate) => boolean,
  about: string,
): Candidate[] {
  for (const { driver, name, isIncomplete, problem } of pools) {
    const state = isIncomplete ? 'being updated' : 'invalid';
    if (isIncomplete || problem !== undefined)
      throw new AllocationError(
        `${about}: asks for all devices, but resource pool ${driver}/${name} is currently ${state}`,
      );
  }
  return pools.flatMap(({ candidates }) => candidates).filter(selects);
}

function isSelected(
  { id, pool, device }: Candidate,
  selectors: readonly DeepReadonly<DeviceSelector>[],
  whose: string,
  matches: WantedDevicesInput['matches'],
): boolean {
  const selectable = {
    driver: pool.driver,
    attributes: device.attributes ?? {},
    capacity: device.capacity ?? {},
    allowMultipleAllocations: device.allowMultipleAllocations === true,
  };
  for (const [index, { cel }] of selectors.entries()) {
    if (cel === undefined) throw new AllocationError(`${whose}: selector #${index}: CEL expression empty`);
    try {
      if (!matches(cel.expression, selectable)) return false;
    } catch (error) {
      throw new AllocationError(`${whose}: selector #${index} on device ${id}: CEL error`, error);
    }
  }
  return true;
}
