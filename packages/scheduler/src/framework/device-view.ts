import type { Cached, DeepReadonly, Quantity } from '@windlass/apimachinery';
import type {
  DeviceAttribute,
  DeviceCapacity,
  DeviceClass,
  ResourceClaim,
  ResourceSlice,
} from '@windlass/apimachinery/api/resource/v1';

export type ReadonlyResourceClaim = Cached<ResourceClaim>;
export type ReadonlySlice = Cached<ResourceSlice>;
export type ReadonlyDeviceClass = Cached<DeviceClass>;

/** How much of a device's capacity is taken, by the names of the capacities. */
export type TakenCapacity = ReadonlyMap<string, Quantity>;

/** What is not free, by `driver/pool/device`. */
export interface AllocatedDevices {
  /** Devices that one claim has for itself. */
  readonly devices: ReadonlySet<string>;
  /** Devices that several claims may share, with what is taken of each. */
  readonly shares: ReadonlyMap<string, TakenCapacity>;
}

/** What the expression of a selector looks at. */
export interface SelectableDevice {
  readonly driver: string;
  readonly attributes: Readonly<Record<string, DeepReadonly<DeviceAttribute>>>;
  readonly capacity: Readonly<Record<string, DeepReadonly<DeviceCapacity>>>;
  readonly allowMultipleAllocations: boolean;
}

/**
 * The language of selectors, CEL. It comes from outside: the API server has it, which validates the same expressions.
 */
export interface DeviceSelectors {
  /** @throws Error when the expression is none; `matches` when it fails for a device */
  compile(expression: string): { matches(device: SelectableDevice): boolean };
}

/**
 * Devices as plugins see them: what the server says, and over it what this scheduler has decided and is being
 * written. It does not change while one pod is scheduled.
 */
export interface DeviceView {
  /** By `namespace/name`. */
  claim(key: string): ReadonlyResourceClaim | undefined;
  /** Whether another pod has got devices for the claim, which are not written yet. */
  isBeingAllocated(key: string): boolean;
  deviceClass(name: string): ReadonlyDeviceClass | undefined;
  /** Those of the node, and those that may be of several. */
  slicesFor(node: string): readonly ReadonlySlice[];
  /** All slices of a pool, wherever its devices are. */
  slicesOfPool(driver: string, pool: string): readonly ReadonlySlice[];
  /** What claims have. It costs a look at each of them. */
  allocated(): AllocatedDevices;
  /** @throws Error */
  matches(expression: string, device: SelectableDevice): boolean;
}

export const NO_DEVICES: DeviceView = Object.freeze({
  claim: () => undefined,
  isBeingAllocated: () => false,
  deviceClass: () => undefined,
  slicesFor: () => [],
  slicesOfPool: () => [],
  allocated: () => ({ devices: new Set<string>(), shares: new Map<string, never>() }),
  matches: () => false,
});
